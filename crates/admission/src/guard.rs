//! Leave to ask for anything: for whoever shows the token, where there is one.

use std::sync::Arc;

use banyan_worker::Token;
use tonic::service::Interceptor;
use tonic::{Request, Status};

use crate::strangers::Guest;

/// Stands in front of every service that can do more than say whether this process lives.
#[derive(Clone, Debug)]
pub struct Guard {
    pub(crate) token: Option<Token>,
}

impl Guard {
    fn check(&self, request: &Request<()>) -> Result<(), &'static str> {
        let Some(token) = &self.token else { return Ok(()) };
        match request.metadata().get("authorization") {
            None => Err("it shows no token: give --token-file or BANYAN_TOKEN"),
            Some(shown) if token.is_shown_by(shown.as_bytes()) => Ok(()),
            Some(_) => Err("its token is not this coordinator's"),
        }
    }
}

impl Interceptor for Guard {
    fn call(&mut self, request: Request<()>) -> Result<Request<()>, Status> {
        let guest = request.extensions().get::<Arc<Guest>>();
        if let Err(why) = self.check(&request) {
            if let Some(guest) = guest {
                guest.refuse(why);
            }
            return Err(Status::unauthenticated(why));
        }
        // Where there is no token whoever says hello is welcome, but not before.
        if let Some(guest) = guest.filter(|_| self.token.is_some()) {
            guest.welcome();
        }
        Ok(request)
    }
}
