//! Coordinators that are no coordinators.

use std::net::TcpListener;
use std::time::Duration;

use banyan_worker::dial::Address;
use banyan_worker::link::{self, Hand};

#[test]
fn a_worker_that_nobody_answers_goes_when_it_is_told_to() {
    // It takes connections, as a tunnel without another end does, and never says a word.
    let silent = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = silent.local_addr().expect("bound").to_string();
    let address = Address::new(&address, None, None).expect("an address");
    let hand = Hand::playing(banyan_worker::profile("patient", 1), None);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let ended = runtime.expect("a runtime").block_on(async {
        let drain = tokio::time::sleep(Duration::from_millis(200));
        tokio::time::timeout(Duration::from_secs(10), link::run(address, hand, drain)).await
    });
    ended.expect("it hangs").expect("it was told to go");
}
