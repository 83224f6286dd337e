//! Who may ask: programs of this machine, and the page itself, but no page of another site.

use axum::extract::{Request, State};
use axum::http::header::{HOST, ORIGIN};
use axum::http::{HeaderMap, HeaderName, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

/// Lets a request pass, or refuses it with the reason.
pub(crate) async fn check(State(port): State<u16>, request: Request, next: Next) -> Response {
    match objection(request.headers(), port) {
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

fn text<'h>(headers: &'h HeaderMap, name: &HeaderName) -> Option<&'h str> {
    let mut values = headers.get_all(name).iter();
    let only = values.next()?;
    match values.next() {
        None => only.to_str().ok(),
        Some(_) => None,
    }
}

/// Whether this is a name of this machine, with the port.
fn is_here(name: &str, port: u16) -> bool {
    let Some((name, number)) = name.rsplit_once(':') else {
        // Browsers leave out the port of the web.
        return port == 80 && matches!(name, "localhost" | "127.0.0.1");
    };
    number.parse() == Ok(port) && matches!(name, "localhost" | "127.0.0.1")
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
    fn only_this_machine_and_the_page_itself_may_ask() {
        for host in ["localhost:7700", "127.0.0.1:7700"] {
            assert_eq!(of(host, None), None);
            assert_eq!(of(host, Some("http://localhost:7700")), None);
        }
        for host in [
            "example.org:7700",
            "localhost:7701",
            "localhost",
            "127.0.0.1.example.org:7700",
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
