//! What faults are injected into: a sound registry, and nginx in front of it.

use testkit::{
    Auth, Authority, Image, Issued, Leaf, Nginx, Registry, RegistryOptions, Shelf, TokenOptions, TokenService,
};

/// A sound registry with TLS, and the authority that signed its certificate.
pub struct Sound {
    pub authority: Authority,
    pub tls: Issued,
    pub shelf: Shelf,
    pub registry: Registry,
    pub service: Option<TokenService>,
}

impl Sound {
    /// Open to everyone.
    pub fn open() -> Self {
        Self::serving(&Image::single("linux/amd64"))
    }

    /// Open to everyone, with this image as `team/app:v1`.
    pub fn serving(image: &Image) -> Self {
        let authority = Authority::root("Example Root");
        let tls = authority.issue(&Leaf::default());
        let shelf = Shelf::holding("team/app", "v1", image);
        let registry =
            Registry::start(&RegistryOptions { tls: Some(&tls), ..RegistryOptions::plain(&shelf) });
        Self { authority, tls, shelf, registry, service: None }
    }

    /// With a password: `joe:s3cret`.
    pub fn with_password() -> Self {
        let authority = Authority::root("Example Root");
        let tls = authority.issue(&Leaf::default());
        let shelf = Shelf::with_app();
        let options = RegistryOptions {
            tls: Some(&tls),
            auth: Auth::Htpasswd("joe", "s3cret"),
            ..RegistryOptions::plain(&shelf)
        };
        let registry = Registry::start(&options);
        Self { authority, tls, shelf, registry, service: None }
    }

    /// With tokens of a service at `auth.example.com`; `realm` changes what the registry says of it.
    pub fn with_tokens(options: &TokenOptions<'_>, realm: impl Fn(u16) -> String) -> Self {
        let authority = Authority::root("Example Root");
        let tls = authority.issue(&Leaf::default());
        let options = if options.tls.is_none() {
            TokenOptions { tls: Some(&tls), ..options.clone() }
        } else {
            options.clone()
        };
        let service = TokenService::start(&options);
        let realm = realm(service.port);
        let shelf = Shelf::with_app();
        let registry = Registry::start(&RegistryOptions {
            tls: Some(&tls),
            auth: Auth::Token { service: &service, realm: &realm },
            ..RegistryOptions::plain(&shelf)
        });
        Self { authority, tls, shelf, registry, service: Some(service) }
    }

    /// The same with a token service in plain HTTP.
    pub fn with_plain_tokens(options: &TokenOptions<'_>, realm: impl Fn(u16) -> String) -> Self {
        let authority = Authority::root("Example Root");
        let tls = authority.issue(&Leaf::default());
        let service = TokenService::start(options);
        let realm = realm(service.port);
        let shelf = Shelf::with_app();
        let registry = Registry::start(&RegistryOptions {
            tls: Some(&tls),
            auth: Auth::Token { service: &service, realm: &realm },
            ..RegistryOptions::plain(&shelf)
        });
        Self { authority, tls, shelf, registry, service: Some(service) }
    }

    /// The image, as the registry itself serves it.
    pub fn image(&self) -> String {
        format!("registry.example.com:{}/team/app:v1", self.registry.port)
    }

    /// nginx with TLS in front of it, with these directives before those that pass everything on.
    pub fn behind(&self, directives: &str) -> Front {
        Front::new(&self.tls, &format!("{directives}\n{}", passing_on(self.registry.port)))
    }
}

/// The realm of a token service that is where it should be.
pub fn sound_realm(port: u16) -> String {
    format!("https://auth.example.com:{port}/token")
}

/// Directives that pass everything on to a registry with TLS.
pub fn passing_on(port: u16) -> String {
    format!(
        "proxy_http_version 1.1; proxy_set_header Host $http_host; proxy_ssl_server_name on; \
         proxy_ssl_name registry.example.com; location / {{ proxy_pass https://127.0.0.1:{port}; }}"
    )
}

/// nginx with TLS.
pub struct Front {
    pub nginx: Nginx,
}

impl Front {
    pub fn new(tls: &Issued, directives: &str) -> Self {
        let server = format!(
            "ssl_certificate {}; ssl_certificate_key {};\n{directives}",
            tls.certificate.display(),
            tls.key.display()
        );
        Self { nginx: Nginx::start("ssl", &server) }
    }

    pub fn image(&self) -> String {
        format!("registry.example.com:{}/team/app:v1", self.nginx.port)
    }
}
