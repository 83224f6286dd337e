//! Who may ask: programs of this machine, and the page itself, but no page of another site. Beyond this machine: who has the
//! token. Who may edit: only who has the token, on this machine, too, because any program here can reach the server.

use axum::extract::{Request, State};
use axum::http::header::{HOST, ORIGIN};
use axum::http::{HeaderMap, HeaderName, StatusCode, Uri};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::io;
use std::net::{Ipv4Addr, Ipv6Addr};
use std::sync::Arc;

/// What a server knows of those who may ask.
#[derive(Debug)]
pub(crate) struct Guard {
    pub(crate) port: u16,
    pub(crate) token: Option<String>,
    pub(crate) access: Access,
}

/// Who may do what.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Access {
    /// Only those get an answer who know the token, under any name of this machine. Otherwise anybody on this machine does.
    pub asks_token: bool,
    /// Those who know the token may edit.
    pub edits: bool,
}

/// Whether whoever opens a web socket may edit.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MayEdit(pub(crate) bool);

/// A new token: 128 bits that nobody can guess.
pub(crate) fn token() -> io::Result<String> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|error| io::Error::other(error.to_string()))?;
    Ok(format!("{:032x}", u128::from_le_bytes(bytes)))
}

/// Lets a request pass, or refuses it with the reason.
pub(crate) async fn check(
    State(guard): State<Arc<Guard>>,
    mut request: Request,
    next: Next,
) -> Response {
    let (headers, uri) = (request.headers(), request.uri());
    let token = guard.token.as_deref();
    let refused = match token.filter(|_| guard.access.asks_token) {
        None => objection(headers, guard.port),
        Some(token) => objection_without(token, headers, uri),
    };
    let may_edit = guard.access.edits && token.is_some_and(|token| has(token, uri));
    request.extensions_mut().insert(MayEdit(may_edit));
    match refused {
        None => next.run(request).await,
        Some(reason) => (StatusCode::FORBIDDEN, reason).into_response(),
    }
}

/// Why a request is refused. A site whose name leads to this machine would have its own name as the host; a page of another
/// site has its origin.
fn objection(headers: &HeaderMap, port: u16) -> Option<&'static str> {
    let host = text(headers, &HOST);
    if !host.is_some_and(|host| is_here(host, port)) {
        return Some("the studio answers only to the names of this machine\n");
    }
    // What is no browser names no origin.
    let origin = headers.get(ORIGIN)?.to_str().ok();
    let from = origin.and_then(|origin| origin.strip_prefix("http://"));
    match from.is_some_and(|from| is_here(from, port)) {
        true => None,
        false => Some("the studio does not answer to pages of other sites\n"),
    }
}

/// Why a request is refused by a server that asks for a token. The page itself, its editor and what words are for are no
/// secret: the page learns the token from the part of its address that browsers do not send, and opens the web socket with it.
fn objection_without(token: &str, headers: &HeaderMap, uri: &Uri) -> Option<&'static str> {
    let Some(host) = text(headers, &HOST) else {
        return Some("the studio does not know who is asked\n");
    };
    if let Some(origin) = headers.get(ORIGIN) {
        let from = origin.to_str().ok();
        if from.and_then(|origin| origin.strip_prefix("http://")) != Some(host) {
            return Some("the studio does not answer to pages of other sites\n");
        }
    }
    match matches!(uri.path(), "/" | "/editor.js" | "/words.zh.json") || has(token, uri) {
        true => None,
        false => {
            Some("the studio answers only under the address that it has printed, with its token\n")
        }
    }
}

/// Whether a request has the token.
fn has(token: &str, uri: &Uri) -> bool {
    let given = uri.query().and_then(|query| query.strip_prefix("token="));
    given.is_some_and(|given| is_same(given, token))
}

/// Compares two secrets. How long it takes says nothing of where they differ.
fn is_same(given: &str, token: &str) -> bool {
    let pairs = given.bytes().zip(token.bytes());
    given.len() == token.len() && pairs.fold(0, |differs, (one, other)| differs | one ^ other) == 0
}

fn text<'h>(headers: &'h HeaderMap, name: &HeaderName) -> Option<&'h str> {
    let mut values = headers.get_all(name).iter();
    let only = values.next()?;
    match values.next() {
        None => only.to_str().ok(),
        Some(_) => None,
    }
}

/// Whether this is a name of this machine that only this machine has, with the port. An address that is written as numbers
/// belongs to nobody else, whereas a site can have any other name lead here.
fn is_here(authority: &str, port: u16) -> bool {
    // The colons of an address of version 6 are in brackets.
    let end = authority.rfind(']').map_or(0, |bracket| bracket + 1);
    let (name, given) = match authority[end..].find(':') {
        Some(colon) => (
            &authority[..end + colon],
            authority[end + colon + 1..].parse(),
        ),
        // Browsers leave out the port of the web.
        None => (authority, Ok(80)),
    };
    let inner = name
        .strip_prefix('[')
        .and_then(|name| name.strip_suffix(']'));
    let is_local = match inner {
        Some(inner) => inner
            .parse()
            .is_ok_and(|ip: Ipv6Addr| ip.to_canonical().is_loopback()),
        None => name == "localhost" || name.parse().is_ok_and(|ip: Ipv4Addr| ip.is_loopback()),
    };
    given == Ok(port) && is_local
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(host: &str, origin: Option<&str>) -> Option<&'static str> {
        let mut headers = HeaderMap::new();
        headers.insert(HOST, host.parse().expect("a header"));
        if let Some(origin) = origin {
            headers.insert(ORIGIN, origin.parse().expect("a header"));
        }
        objection(&headers, 7700)
    }

    #[test]
    fn with_a_token_only_who_has_it_may_ask() {
        let token = token().expect("random numbers");
        assert_eq!(token.len(), 32);
        assert_ne!(token, super::token().expect("random numbers"));
        let asked = |path: &str, origin: Option<&str>| {
            let mut headers = HeaderMap::new();
            headers.insert(HOST, "robot.lan:7700".parse().expect("a header"));
            if let Some(origin) = origin {
                headers.insert(ORIGIN, origin.parse().expect("a header"));
            }
            objection_without(&token, &headers, &path.parse().expect("a path"))
        };
        let right = format!("/socket?token={token}");
        assert_eq!(asked("/", None), None);
        assert_eq!(asked(&right, None), None);
        assert_eq!(asked(&right, Some("http://robot.lan:7700")), None);
        for origin in ["http://example.org", "https://robot.lan:7700", "null"] {
            assert!(asked(&right, Some(origin)).is_some(), "{origin}");
        }
        let (but_one, other) = (&token[1..], "0".repeat(32));
        for path in [
            "/socket".to_owned(),
            "/socket?token=".to_owned(),
            format!("/socket?token={but_one}"),
            format!("/socket?token={other}"),
            format!("/socket?a=b&token={token}"),
            format!("/token={token}"),
        ] {
            assert!(asked(&path, None).is_some(), "{path}");
        }
        assert!(
            objection_without(&token, &HeaderMap::new(), &right.parse().expect("a path")).is_some()
        );
    }

    #[test]
    fn only_this_machine_and_the_page_itself_may_ask() {
        for host in [
            "localhost:7700",
            "127.0.0.1:7700",
            "127.0.0.2:7700",
            "[::1]:7700",
        ] {
            assert_eq!(of(host, None), None, "{host}");
            let own = format!("http://{host}");
            assert_eq!(of(host, Some(&own)), None, "{host}");
            assert_eq!(of(host, Some("http://localhost:7700")), None);
        }
        assert!(is_here("127.0.0.1", 80) && is_here("[::1]", 80));
        for host in [
            "example.org:7700",
            "localhost:7701",
            "localhost",
            "127.0.0.1.example.org:7700",
            "127.0.0.1:7700:7700",
            "::1:7700",
            "[::1]7700",
            "[::1:7700",
            "[::2]:7700",
            "[127.0.0.1]:7700",
            "192.168.0.1:7700",
            "",
        ] {
            assert!(of(host, None).is_some(), "{host}");
        }
        let origins = [
            "http://example.org",
            "https://localhost:7700",
            "http://localhost:80",
            "null",
            "",
        ];
        for origin in origins {
            assert!(of("localhost:7700", Some(origin)).is_some(), "{origin}");
        }
        let mut twice = HeaderMap::new();
        twice.append(HOST, "localhost:7700".parse().expect("a header"));
        twice.append(HOST, "example.org".parse().expect("a header"));
        assert!(objection(&twice, 7700).is_some());
    }
}
