//! The derive of `treemind_bevy`. See `treemind_bevy::Facts`.

use proc_macro::TokenStream;
use quote::quote;
use syn::{Data, DeriveInput, Fields, parse_macro_input};

/// Makes the named fields of a component facts: conditions and keys of the minds that its entities have.
#[proc_macro_derive(Facts)]
pub fn facts(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    let fields = match &input.data {
        Data::Struct(data) => match &data.fields {
            Fields::Named(fields) => &fields.named,
            _ => return refused(&input, "facts need names: use a struct with named fields"),
        },
        _ => return refused(&input, "only a struct has facts"),
    };
    let (name, generics) = (&input.ident, &input.generics);
    let (implementation, types, conditions) = generics.split_for_impl();
    let idents: Vec<_> = fields
        .iter()
        .filter_map(|field| field.ident.as_ref())
        .collect();
    let names = idents.iter().map(|ident| ident.to_string());
    let kinds = fields.iter().map(|field| &field.ty);
    let numbers = 0..idents.len();
    quote! {
        impl #implementation ::treemind_bevy::Facts for #name #types #conditions {
            const FIELDS: &'static [::treemind_bevy::FactField] = &[
                #(::treemind_bevy::FactField::of::<#kinds>(#names)),*
            ];

            #[inline]
            fn tell(&self, to: &mut ::treemind_bevy::FactWriter<'_>) {
                #(to.tell(#numbers, &self.#idents);)*
            }
        }
    }
    .into()
}

/// A message of the compiler at the type.
fn refused(input: &DeriveInput, message: &str) -> TokenStream {
    syn::Error::new_spanned(&input.ident, message)
        .to_compile_error()
        .into()
}
