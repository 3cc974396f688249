//! A channel whose receiver goes to sleep at once when there is nothing.
//!
//! Channels spin and yield for a while before they sleep. A search thread that waits tens of milliseconds for
//! each tally would spend more time on that than on its tree.

use std::thread::Thread;
use std::time::Instant;

use crossbeam_channel::{Receiver, Sender, unbounded};

/// The sending end. Sending wakes the receiver.
#[derive(Clone, Debug)]
pub struct Post<T> {
    sender: Sender<T>,
    receiver: Thread,
}

/// The receiving end, for the thread that made it.
#[derive(Debug)]
pub struct Mailbox<T> {
    receiver: Receiver<T>,
}

/// A mailbox of the calling thread, unbounded in itself: who sends into it says what bounds it.
pub fn mailbox<T>() -> (Post<T>, Mailbox<T>) {
    let (sender, receiver) = unbounded();
    (Post { sender, receiver: std::thread::current() }, Mailbox { receiver })
}

impl<T> Post<T> {
    /// Sends; what nobody receives any more is dropped.
    pub fn send(&self, message: T) {
        let _ = self.sender.send(message);
        self.receiver.unpark();
    }

    /// Sends where all that was sent before has been taken; else drops the message.
    pub fn send_if_read(&self, message: T) {
        if self.sender.is_empty() {
            self.send(message);
        }
    }
}

impl<T> Mailbox<T> {
    /// The next message, if one is there.
    pub fn take(&self) -> Option<T> {
        self.receiver.try_recv().ok()
    }

    /// The next message, waited for until `deadline`.
    pub fn take_until(&self, deadline: Instant) -> Option<T> {
        loop {
            if let Some(message) = self.take() {
                return Some(message);
            }
            let left = deadline.checked_duration_since(Instant::now())?;
            std::thread::park_timeout(left);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn messages_come_in_order_and_waiting_ends_with_the_deadline() {
        let (post, mailbox) = mailbox();
        post.send(1);
        let sender = std::thread::spawn(move || post.send(2));
        let soon = || Instant::now() + Duration::from_secs(10);
        assert_eq!(mailbox.take_until(soon()), Some(1));
        assert_eq!(mailbox.take_until(soon()), Some(2));
        sender.join().expect("it only sends");
        assert_eq!(mailbox.take_until(Instant::now() + Duration::from_millis(1)), None);
    }

    #[test]
    fn what_can_be_left_out_does_not_pile_up() {
        let (post, mailbox) = mailbox();
        (1..=3).for_each(|message| post.send_if_read(message));
        post.send(4);
        assert_eq!([mailbox.take(), mailbox.take(), mailbox.take()], [Some(1), Some(4), None]);
        post.send_if_read(5);
        assert_eq!(mailbox.take(), Some(5));
    }
}
