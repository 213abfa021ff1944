//! What only a Unix machine has. On another system a copied file tree is read as anywhere; nothing runs there to look at.

#[cfg(not(unix))]
pub use other::*;
#[cfg(unix)]
pub use unix::*;

#[cfg(unix)]
mod unix {
    use report::node::Store;
    use std::fs::FileType;
    use std::io;
    use std::os::unix::fs::FileTypeExt;
    use std::path::Path;
    use tokio::net::UnixStream;

    /// The machine's name.
    pub fn name() -> String {
        rustix::system::uname().nodename().to_string_lossy().into_owned()
    }

    /// Ticks of a second, in which /proc counts.
    pub fn ticks_per_second() -> Option<i64> {
        i64::try_from(rustix::param::clock_ticks_per_second()).ok().filter(|hertz| *hertz > 0)
    }

    /// The file system that holds `at`; `path` is how it is to be called.
    pub fn file_system(at: &Path, path: &str) -> Option<Store> {
        let stat = rustix::fs::statvfs(at).ok()?;
        Some(Store {
            path: path.to_owned(),
            bytes: stat.f_blocks.saturating_mul(stat.f_frsize),
            bytes_free: stat.f_bavail.saturating_mul(stat.f_frsize),
            inodes: stat.f_files,
            inodes_free: stat.f_favail,
        })
    }

    pub fn is_socket(kind: FileType) -> bool {
        kind.is_socket()
    }

    /// A connection to a runtime's socket.
    ///
    /// # Errors
    /// As the system gives them.
    pub async fn connect(socket: &Path) -> io::Result<UnixStream> {
        UnixStream::connect(socket).await
    }
}

#[cfg(not(unix))]
mod other {
    use report::node::Store;
    use std::fs::FileType;
    use std::io;
    use std::path::Path;
    use tokio::net::TcpStream;

    pub const fn name() -> String {
        String::new()
    }

    pub const fn ticks_per_second() -> Option<i64> {
        None
    }

    pub const fn file_system(_: &Path, _: &str) -> Option<Store> {
        None
    }

    pub const fn is_socket(_: FileType) -> bool {
        false
    }

    #[allow(clippy::unused_async, reason = "it is one where there are such sockets")]
    pub async fn connect(_: &Path) -> io::Result<TcpStream> {
        Err(io::ErrorKind::Unsupported.into())
    }
}
