//! Deliveries to subscribers, each over a bounded queue of its own.
//! Keeps nothing for a reader that lags: the journal fills its gap.

use ports::Delivery;
use tokio::sync::mpsc;

/// Deliveries waiting for one subscriber. At the limit an ephemeral one is dropped for that subscriber,
/// an enduring one ends its subscription, so that no gap goes unseen.
const QUEUE_MAX: usize = 256;

#[derive(Default)]
pub(crate) struct Fanout {
    queues: Vec<mpsc::Sender<Delivery>>,
}

impl Fanout {
    pub(crate) fn subscribe(&mut self) -> mpsc::Receiver<Delivery> {
        let (queue, deliveries) = mpsc::channel(QUEUE_MAX);
        self.queues.push(queue);
        deliveries
    }

    pub(crate) fn deliver(&mut self, delivery: &Delivery) {
        self.queues.retain(|queue| match queue.try_send(delivery.clone()) {
            Ok(()) => true,
            Err(mpsc::error::TrySendError::Full(_)) => delivery.seq.is_none(),
            Err(mpsc::error::TrySendError::Closed(_)) => false,
        });
    }
}
