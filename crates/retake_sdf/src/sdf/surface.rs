//! `<surface>` of a collision.

use retake_description::{Bounce, Contact, Friction, Surface, bounds};

use super::context::Context;
use crate::xml::Node;

/// Reads the surface of a collision.
pub(super) fn surface(cx: &mut Context<'_>, collision: Node<'_>) -> Surface {
    let Some(node) = collision.take("surface") else { return Surface::default() };
    Surface {
        friction: node.take("friction").map_or_else(Friction::default, |n| friction(cx, n)),
        bounce: node.take("bounce").map_or_else(Bounce::default, |n| bounce(cx, n)),
        contact: node.take("contact").map_or_else(Contact::default, |n| contact(cx, n)),
    }
}

fn friction(cx: &mut Context<'_>, node: Node<'_>) -> Friction {
    let mut friction = Friction::default();
    if let Some(ode) = node.take("ode") {
        friction.mu = cx.number_in(ode, "mu", friction.mu, &bounds::FRICTION);
        friction.mu2 = cx.number_in(ode, "mu2", friction.mu2, &bounds::FRICTION);
        friction.fdir1 = cx.vec3(ode, "fdir1", friction.fdir1);
        friction.slip1 = cx.number(ode, "slip1", friction.slip1);
        friction.slip2 = cx.number(ode, "slip2", friction.slip2);
    }
    if let Some(torsional) = node.take("torsional") {
        friction.torsional = cx.number(torsional, "coefficient", friction.torsional);
    }
    friction
}

fn bounce(cx: &mut Context<'_>, node: Node<'_>) -> Bounce {
    let default = Bounce::default();
    Bounce {
        restitution: cx.number_in(
            node,
            "restitution_coefficient",
            default.restitution,
            &bounds::RESTITUTION,
        ),
        threshold: cx.number(node, "threshold", default.threshold),
    }
}

fn contact(cx: &mut Context<'_>, node: Node<'_>) -> Contact {
    let mut contact = Contact::default();
    if let Some(ode) = node.take("ode") {
        contact.kp = cx.number(ode, "kp", contact.kp);
        contact.kd = cx.number(ode, "kd", contact.kd);
    }
    if let Some(mask) = node.take("collide_bitmask") {
        match parsed_mask(mask.text()) {
            Some(bits) => contact.collide_bitmask = bits,
            None => cx.bad_value(mask, "a mask of at most 32 bits, as in 65535 or 0xffff"),
        }
    }
    contact
}

fn parsed_mask(text: &str) -> Option<u32> {
    match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        Some(hex) => u32::from_str_radix(hex, 16).ok(),
        None => text.parse().ok(),
    }
}
