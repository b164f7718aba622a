//! The component vocabulary, and spawning a description into the Ecm.
