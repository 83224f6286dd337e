//! The macros that make the constructors and methods of `words.rs`.

/// The kinds of nodes by what they take: nothing, a value, children, or several of these.
macro_rules! kinds {
    ($($shape:ident $name:ident $word:literal $doc:literal;)*) => {
        $(kinds!(@$shape $name $word $doc);)*

        impl TreeBuilder {
            $(kinds!(@builder $shape $name $word $doc);)*
        }
    };
    (@plain $name:ident $word:literal $doc:literal) => {
        #[doc = concat!("`", $word, "`: ", $doc)]
        pub fn $name() -> Node {
            Node::new($word)
        }
    };
    (@valued $name:ident $word:literal $doc:literal) => {
        #[doc = concat!("`", $word, "`: ", $doc)]
        pub fn $name(value: impl Into<Given>) -> Node {
            Node::new($word).value(value)
        }
    };
    (@list $name:ident $word:literal $doc:literal) => {
        #[doc = concat!("`", $word, "`: ", $doc)]
        pub fn $name(children: impl IntoIterator<Item = Node>) -> Node {
            Node::new($word).children(children)
        }
    };
    (@valued_list $name:ident $word:literal $doc:literal) => {
        #[doc = concat!("`", $word, "`: ", $doc)]
        pub fn $name(value: impl Into<Given>, children: impl IntoIterator<Item = Node>) -> Node {
            Node::new($word).value(value).children(children)
        }
    };
    (@one $name:ident $word:literal $doc:literal) => {
        #[doc = concat!("`", $word, "`: ", $doc)]
        pub fn $name(child: Node) -> Node {
            Node::new($word).child(child)
        }
    };
    (@valued_one $name:ident $word:literal $doc:literal) => {
        #[doc = concat!("`", $word, "`: ", $doc)]
        pub fn $name(value: impl Into<Given>, child: Node) -> Node {
            Node::new($word).value(value).child(child)
        }
    };
    (@builder plain $name:ident $word:literal $doc:literal) => {
        kinds!(@builder list $name $word $doc);
    };
    (@builder one $name:ident $word:literal $doc:literal) => {
        kinds!(@builder list $name $word $doc);
    };
    (@builder list $name:ident $word:literal $doc:literal) => {
        #[doc = concat!("Adds `", $word, "`: ", $doc)]
        #[must_use]
        pub fn $name(self) -> Self {
            self.open($word, None)
        }
    };
    (@builder $shape:ident $name:ident $word:literal $doc:literal) => {
        #[doc = concat!("Adds `", $word, "`: ", $doc)]
        #[must_use]
        pub fn $name(self, value: impl Into<Given>) -> Self {
            self.open($word, Some(value.into()))
        }
    };
}

/// The parts of something other than a tree, which the builder of trees has no methods for.
macro_rules! functions {
    ($($shape:ident $name:ident $word:literal $doc:literal;)*) => {
        $(kinds!(@$shape $name $word $doc);)*
    };
}

/// Options of nodes, as methods of nodes and of the builder.
macro_rules! options {
    ($($shape:ident $name:ident $word:literal $doc:literal;)*) => {
        impl Node {
            $(options!(@$shape $name $word $doc);)*
        }

        impl TreeBuilder {
            $(options!(@$shape $name $word $doc);)*
        }
    };
    (@given $name:ident $word:literal $doc:literal) => {
        #[doc = concat!("`", $word, "=`: ", $doc)]
        #[must_use]
        pub fn $name(self, value: impl Into<Given>) -> Self {
            self.option($word, value)
        }
    };
    (@flag $name:ident $word:literal $doc:literal) => {
        #[doc = concat!("`", $word, "=#true`: ", $doc)]
        #[must_use]
        pub fn $name(self) -> Self {
            self.option($word, true)
        }
    };
}

pub(super) use {functions, kinds, options};
