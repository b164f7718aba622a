/** Where things touch: asked of the server while somebody looks, again when the world moved. */
import type { Client } from '../client/client';
import { fetchContacts } from '../commands/contacts';
import { errorText } from '../lib/errorText';
import type { Contacts } from '../world/contacts';
import type { PoseStore } from '../world/poses';

/** The server is asked at most this often. */
const PERIOD_MS = 100;

export class ContactWatch {
  /** Undefined when nobody looks, or nothing is known. */
  contacts: Contacts | undefined = $state.raw();

  private wanted = false;
  private asking = false;
  /** The server does not tell; it is not asked again before somebody looks anew. */
  private refused = false;
  /** The world moved since it was asked about. */
  private stale = false;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly client: Pick<Client, 'request' | 'connection'>,
    poses: Pick<PoseStore, 'moved'>,
    private readonly say: (text: string) => void,
  ) {
    poses.moved.on(() => {
      this.stale = true;
      this.askIfFree();
    });
  }

  /** Begins or ends to look. */
  show(wanted: boolean): void {
    if (wanted !== this.wanted) {
      this.wanted = wanted;
      this.begin();
    }
  }

  /** Begins anew with a connection, or with a person who looks. */
  begin(): void {
    this.contacts = undefined;
    this.refused = false;
    this.stale = true;
    this.askIfFree();
  }

  stop(): void {
    this.wanted = false;
    clearTimeout(this.timer);
  }

  private askIfFree(): void {
    const { connection } = this.client;
    const free = !this.asking && !this.refused && this.timer === undefined;
    if (this.wanted && this.stale && free && connection.state === 'open') {
      void this.ask(connection.welcome.world);
    }
  }

  private async ask(world: string): Promise<void> {
    this.asking = true;
    this.stale = false;
    try {
      const contacts = await fetchContacts(this.client, world);
      this.contacts = this.wanted ? contacts : undefined;
    } catch (error) {
      this.contacts = undefined;
      // A connection that was lost has a banner of its own.
      if (this.wanted && this.client.connection.state === 'open') {
        this.refused = true;
        this.say(`Nothing is known of contacts: ${errorText(error)}`);
      }
    } finally {
      this.asking = false;
      this.timer = setTimeout(() => {
        this.timer = undefined;
        this.askIfFree();
      }, PERIOD_MS);
    }
  }
}
