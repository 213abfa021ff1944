//! A program that runs for the time of a test.

use crate::programs::find;
use rustix::net::{AddressFamily, SocketFlags, SocketType, bind, socket_with};
use rustix::process::{Pid, Signal};
use std::fs::File;
use std::io::Read;
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// How long a program may take until it listens.
const PATIENCE: Duration = Duration::from_secs(30);
/// How often one is started again because its port was taken meanwhile.
const TRIES: usize = 5;

/// A running program and its folder; both are gone when this is dropped.
pub(crate) struct Running {
    child: Child,
    pub(crate) folder: TempDir,
    asked: bool,
}

impl Running {
    /// Ends by being asked to, where a killed program would leave something behind.
    pub(crate) fn asked_to_end(mut self) -> Self {
        self.asked = true;
        self
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if self.asked {
            let _ = rustix::process::kill_process(Pid::from_child(&self.child), Signal::TERM);
            let begun = Instant::now();
            while begun.elapsed() < Duration::from_secs(5) && matches!(self.child.try_wait(), Ok(None)) {
                std::thread::sleep(Duration::from_millis(10));
            }
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Ports below those that the kernel hands out (32768 and above, Linux, Documentation/networking/ip-sysctl.rst), so that no
/// connection and no server on port 0 takes one between its choice and its use.
const PORTS: std::ops::Range<u16> = 20000..30000;

/// What keeps other tests, of other processes too, from a port that this one has chosen: as long as it lives.
static CLAIMS: Mutex<Vec<File>> = Mutex::new(Vec::new());

/// A free port on the loopback, which no other test gets.
pub fn free_port() -> u16 {
    let folder = std::env::temp_dir().join("pullproof-test-ports");
    std::fs::create_dir_all(&folder).expect("a folder");
    let mut claims = CLAIMS.lock().unwrap_or_else(PoisonError::into_inner);
    for port in PORTS {
        let claim = File::create(folder.join(port.to_string())).expect("a file for a port");
        if claim.try_lock().is_ok() && is_free(port) {
            claims.push(claim);
            return port;
        }
    }
    panic!("every port of {PORTS:?} is taken");
}

/// Whether nobody has this port. Nothing listens on it for the question: a program that another test is starting in this
/// moment inherits the socket until it is executed, and would be taken for the server that is waited for.
fn is_free(port: u16) -> bool {
    let socket = socket_with(AddressFamily::INET, SocketType::STREAM, SocketFlags::CLOEXEC, None);
    bind(socket.expect("a socket"), &SocketAddr::from(([127, 0, 0, 1], port))).is_ok()
}

/// Starts a program and waits until it accepts connections. `prepare` writes its configuration into a folder for a port
/// and returns the arguments; it is called again with another port where the program ends at once.
pub(crate) fn start(
    program: &str,
    host: &str,
    mut prepare: impl FnMut(&Path, u16) -> Vec<String>,
) -> (Running, u16) {
    let mut said = String::new();
    for _ in 0..TRIES {
        let folder = tempfile::tempdir().expect("a folder");
        let port = free_port();
        let args = prepare(folder.path(), port);
        let log = File::create(folder.path().join("output")).expect("a log");
        let child = Command::new(find(program).unwrap_or_else(|| panic!("{program} is not installed")))
            .args(args)
            .current_dir(folder.path())
            .env("HOME", folder.path())
            .stdin(Stdio::null())
            .stdout(log.try_clone().expect("a log"))
            .stderr(log)
            .spawn()
            .unwrap_or_else(|e| panic!("{program}: {e}"));
        let mut running = Running { child, folder, asked: false };
        if listens(&mut running.child, host, port) {
            return (running, port);
        }
        said.clear();
        let mut file = File::open(running.folder.path().join("output")).expect("a log");
        let _ = file.read_to_string(&mut said);
    }
    panic!("{program} does not start: {said}");
}

/// Waits until a connection is accepted; `false` where the program has ended.
fn listens(child: &mut Child, host: &str, port: u16) -> bool {
    let address: SocketAddr = format!("{host}:{port}").parse().expect("an address");
    let begun = Instant::now();
    while begun.elapsed() < PATIENCE {
        if child.try_wait().expect("the program's state").is_some() {
            return false;
        }
        if TcpStream::connect_timeout(&address, Duration::from_secs(1)).is_ok() {
            return true;
        }
        // Refused at once: leave the processor to the program that is starting.
        std::thread::sleep(Duration::from_millis(5));
    }
    false
}
