//! One call of the machine: what it may know of the world, and the effects it has decided on so far.
//! Decides nothing itself; it only makes events out of what the others decide.

use protocol::{
    Body, Cause, Enduring, Ephemeral, Event, Header, IdSource, LoopId, SessionId, Stamp, StepId, ToolCallId, TurnId,
};

use crate::{Config, Effect};

pub(crate) struct Moment<'a> {
    pub(crate) config: &'a Config,
    pub(crate) at_ms: u64,
    pub(crate) ids: IdSource,
    /// What the events made from here on came from.
    pub(crate) cause: Cause,
    pub(crate) effects: Vec<Effect>,
    session: SessionId,
}

/// What an event is about, from the session down.
#[derive(Clone, Copy)]
pub(crate) struct Place {
    loop_id: Option<LoopId>,
    turn: Option<TurnId>,
    step: Option<StepId>,
    call: Option<ToolCallId>,
}

impl<'a> Moment<'a> {
    pub(crate) fn new(config: &'a Config, session: SessionId, stamp: Stamp, cause: Cause) -> Self {
        Self { config, at_ms: stamp.at_ms, ids: stamp.ids(), cause, effects: Vec::new(), session }
    }

    /// Makes an enduring event, without storing it yet.
    pub(crate) fn event(&mut self, place: Place, enduring: Enduring) -> Event {
        Event { header: self.header(place), body: Body::Enduring(enduring) }
    }

    /// Tells clients something that is not stored.
    pub(crate) fn emit(&mut self, place: Place, ephemeral: Ephemeral) {
        let event = Event { header: self.header(place), body: Body::Ephemeral(ephemeral) };
        self.effects.push(Effect::Emit(event));
    }

    pub(crate) fn push(&mut self, effect: Effect) {
        self.effects.push(effect);
    }

    fn header(&mut self, place: Place) -> Header {
        Header {
            id: self.ids.make(),
            at_ms: self.at_ms,
            session: self.session,
            loop_id: place.loop_id,
            turn: place.turn,
            step: place.step,
            call: place.call,
            cause: self.cause,
        }
    }
}

impl Place {
    pub(crate) const SESSION: Self = Self { loop_id: None, turn: None, step: None, call: None };

    pub(crate) fn in_loop(id: LoopId) -> Self {
        Self { loop_id: Some(id), ..Self::SESSION }
    }

    pub(crate) fn turn(self, id: TurnId) -> Self {
        Self { turn: Some(id), ..self }
    }

    pub(crate) fn step(self, id: StepId) -> Self {
        Self { step: Some(id), ..self }
    }

    pub(crate) fn call(self, id: ToolCallId) -> Self {
        Self { call: Some(id), ..self }
    }
}
