//! The rungs, one file each, all of the same shape: what stands below comes in, a [`crate::note::Step`] goes out.

pub(crate) mod authorization;
pub(crate) mod blob;
pub(crate) mod connect;
pub(crate) mod credentials;
pub(crate) mod dns;
pub(crate) mod http;
pub(crate) mod manifest;
pub(crate) mod platform;
pub(crate) mod proxy;
pub(crate) mod reference;
pub(crate) mod socks;
pub(crate) mod tags;
pub(crate) mod tls;
pub(crate) mod token;

/// Runs a few futures beside each other.
pub async fn together<F: Future>(futures: Vec<F>) -> Vec<F::Output> {
    let mut running: Vec<_> = futures.into_iter().map(|f| Box::pin(tokio::task::unconstrained(f))).collect();
    let mut done: Vec<Option<F::Output>> = running.iter().map(|_| None).collect();
    std::future::poll_fn(|cx| {
        let mut waiting = false;
        for (future, slot) in running.iter_mut().zip(done.iter_mut()) {
            if slot.is_none() {
                match future.as_mut().poll(cx) {
                    std::task::Poll::Ready(value) => *slot = Some(value),
                    std::task::Poll::Pending => waiting = true,
                }
            }
        }
        if waiting { std::task::Poll::Pending } else { std::task::Poll::Ready(()) }
    })
    .await;
    done.into_iter().flatten().collect()
}
