/** Version of the protocol that this page speaks; the host refuses another one. */
export const PROTOCOL_VERSION = 5;
