//! [`Candidate`]: where a server may be.

use std::env;

/// Where a server may be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    pub(super) kind: Kind,
    /// Where it listens, without a path behind it that is the API's.
    pub(super) base_url: String,
}

/// Which server it would be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Ollama,
    LmStudio,
    LlamaCpp,
    Vllm,
}

impl Candidate {
    /// Ollama at this address: `http://127.0.0.1:11434`.
    pub fn ollama(address: impl Into<String>) -> Self {
        Self { kind: Kind::Ollama, base_url: address.into() }
    }

    /// LM Studio at this address: `http://127.0.0.1:1234`.
    pub fn lm_studio(address: impl Into<String>) -> Self {
        Self { kind: Kind::LmStudio, base_url: address.into() }
    }

    /// llama.cpp's server at this address: `http://127.0.0.1:8080`.
    pub fn llama_cpp(address: impl Into<String>) -> Self {
        Self { kind: Kind::LlamaCpp, base_url: address.into() }
    }

    /// vLLM at this address: `http://127.0.0.1:8000`.
    pub fn vllm(address: impl Into<String>) -> Self {
        Self { kind: Kind::Vllm, base_url: address.into() }
    }

    /// Where they are if nobody has moved them.
    pub(super) fn usual() -> [Self; 4] {
        let ollama = env::var("OLLAMA_HOST").ok();
        [
            Self::ollama(ollama_address(ollama.as_deref().unwrap_or_default())),
            Self::lm_studio("http://127.0.0.1:1234"),
            Self::llama_cpp("http://127.0.0.1:8080"),
            Self::vllm("http://127.0.0.1:8000"),
        ]
    }
}

/// The address that `OLLAMA_HOST` means: it may lack a scheme, a host or a port, and may be what the server
/// listens at.
pub fn ollama_address(set: &str) -> String {
    let set = set.trim().trim_matches(['"', '\'']).trim();
    let (scheme, rest) = set.split_once("://").unwrap_or(("", set));
    let (scheme, port) = match scheme {
        "" => ("http", "11434"),
        "https" => ("https", "443"),
        _ => ("http", "80"),
    };
    let (place, path) = rest.split_once('/').unwrap_or((rest, ""));
    // An IPv6 address has colons of its own.
    let (host, port) = match place.rsplit_once(':') {
        Some((host, given))
            if !given.contains(']') && !host.trim_matches(['[', ']']).is_empty() =>
        {
            let is_bare = host.contains(':') && !host.starts_with('[');
            if is_bare { (place, port) } else { (host, given) }
        }
        Some(("", given)) => ("", given),
        _ => (place, port),
    };
    let bare = host.trim_matches(['[', ']']);
    let host = match bare {
        // All of its addresses: this machine is one of them.
        "" | "0.0.0.0" => "127.0.0.1".to_owned(),
        "::" => "[::1]".to_owned(),
        _ if bare.contains(':') => format!("[{bare}]"),
        _ => bare.to_owned(),
    };
    let port = if port.parse::<u16>().is_ok() { port } else { "11434" };
    let path = path.trim_end_matches('/');
    let slash = if path.is_empty() { "" } else { "/" };
    format!("{scheme}://{host}:{port}{slash}{path}")
}

#[cfg(test)]
mod tests {
    use super::ollama_address;

    #[test]
    fn what_ollama_host_means() {
        for (set, address) in [
            ("", "http://127.0.0.1:11434"),
            ("  ", "http://127.0.0.1:11434"),
            ("0.0.0.0", "http://127.0.0.1:11434"),
            ("0.0.0.0:9000", "http://127.0.0.1:9000"),
            (":9000", "http://127.0.0.1:9000"),
            ("localhost", "http://localhost:11434"),
            ("\"box:9000\"", "http://box:9000"),
            ("http://box", "http://box:80"),
            ("https://box", "https://box:443"),
            ("https://box:1/ollama/", "https://box:1/ollama"),
            ("[::]:9000", "http://[::1]:9000"),
            ("[::1]", "http://[::1]:11434"),
            ("::1", "http://[::1]:11434"),
            ("::", "http://[::1]:11434"),
            ("box:none", "http://box:11434"),
        ] {
            assert_eq!(ollama_address(set), address, "{set}");
        }
    }
}
