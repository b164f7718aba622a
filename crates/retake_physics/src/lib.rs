//! Physics engines behind one trait, and their bridge to the Ecm.
