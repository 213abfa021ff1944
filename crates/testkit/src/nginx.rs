//! nginx as a front end or a middle device.

use crate::process::{Running, start};

/// A running nginx.
pub struct Nginx {
    /// Its port.
    pub port: u16,
    _running: Running,
}

impl Nginx {
    /// Starts one with these directives in its `server` block; `listen` adds words to the `listen` directive, like `ssl`.
    pub fn start(listen: &str, server: &str) -> Self {
        let (running, port) = start("nginx", "127.0.0.1", |folder, port| {
            let text = format!(
                "daemon off;\nmaster_process off;\nworker_processes 1;\npid {0}/pid;\nerror_log {0}/error.log;\n\
                 events {{ worker_connections 64; }}\n\
                 http {{\n  access_log off;\n  client_body_temp_path {0}/body;\n  proxy_temp_path {0}/proxy;\n  \
                 fastcgi_temp_path {0}/fastcgi;\n  uwsgi_temp_path {0}/uwsgi;\n  scgi_temp_path {0}/scgi;\n  \
                 server {{\n    listen 127.0.0.1:{port} {listen};\n    {server}\n  }}\n}}\n",
                folder.display()
            );
            let file = folder.join("nginx.conf");
            std::fs::write(&file, text).expect("a file");
            vec!["-e".to_owned(), "stderr".to_owned(), "-c".to_owned(), file.display().to_string()]
        });
        Self { port, _running: running }
    }
}
