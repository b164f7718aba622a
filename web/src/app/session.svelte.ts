/** Brings connection, mirror and view state together. Panels get parts of it, never all. */
import { Client, type Connection } from '../client/client';
import { setPaused, setSpeed, stepWorld } from '../commands/controlWorld';
import { canDelete, deleteEntities } from '../commands/deleteEntities';
import { Pulling } from '../commands/pulling';
import { resetWorld } from '../commands/resetWorld';
import { assertNever } from '../lib/assert';
import { withMessage, type About, type Level, type Message } from '../panels/messages/model';
import type { HostMessage } from '../protocol/generated/retake/msgs/page_pb';
import { Notification_Level, type Notification, type WorldStatistics } from '../protocol/generated/retake/msgs/world_pb';
import { secsOf } from '../protocol/time';
import { entityIdOf, type EntityId } from '../world/entity';
import { PoseStore } from '../world/poses';
import { textActionOf } from '../world/textCommand';
import { World, type WorldChange } from '../world/world';
import { Editing } from './editing.svelte';
import { ownNameOf } from './ownName';
import { Playing } from './playing.svelte';
import { Plotting } from './plotting.svelte';
import { LogRecording } from './recording.svelte';
import { TextActions } from './textActions.svelte';
import { TimeTravel } from './timeTravel.svelte';
import { BrowserVoice } from './voice';

/** How often numbers on the page follow the poses; more is a blur to read. */
const NUMBERS_MS = 100;

export class Session {
  readonly world = new World();
  readonly poses = new PoseStore(this.world);

  connection: Connection = $state.raw({ state: 'connecting' });
  serverLink: { readonly connected: boolean; readonly reason: string } = $state.raw({ connected: true, reason: '' });
  stats: WorldStatistics | undefined = $state.raw();
  simTimeSecs = $state(0);
  worldName = $state('');
  worldFile = $state('');
  version = $state('');
  /** What the host calls this page. */
  ownName = $state('');
  selected: EntityId | undefined = $state();
  messages: readonly Message[] = $state.raw([]);
  /** Counts up when entities come, go or are renamed. */
  structureVersion = $state(0);
  /** Counts up when what the inspector shows may be another. */
  detailVersion = $state(0);
  /** A full state has come since the connection began. */
  hasWorld = $state(false);

  readonly time: TimeTravel;
  readonly editing: Editing;
  readonly plotting: Plotting;
  readonly recording: LogRecording;
  readonly pulling: Pulling;
  readonly textActions: TextActions;
  readonly playing: Playing;

  private readonly client: Client;
  /** An entity to select once it is here. */
  private awaited: EntityId | undefined;
  private numbersTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(url: string) {
    this.client = new Client(() => new WebSocket(url));
    this.time = new TimeTravel(this.client, (level, text, about) => {
      this.say(level, text, about);
    });
    this.editing = new Editing(this.client, {
      say: (level, text, about) => {
        this.say(level, text, about);
      },
      selectWhenHere: (id) => {
        this.selectWhenHere(id);
      },
    });
    this.plotting = new Plotting(this.client, (text) => {
      this.say('error', text);
    });
    this.recording = new LogRecording(this.client, (level, text) => {
      this.say(level, text);
    });
    this.pulling = new Pulling(this.client, (text) => {
      this.say('warning', text);
    });
    this.textActions = new TextActions(new BrowserVoice(), (text) => {
      this.say('warning', text, { toast: 'small' });
    });
    this.playing = new Playing(this.client, (text) => {
      this.say('error', text);
    });
    this.client.connectionChanged.on((connection) => {
      this.useConnection(connection);
    });
    this.client.messageReceived.on((message) => {
      this.receive(message);
    });
    this.client.garbled.on((error) => {
      this.say('error', `The host sent something that this page cannot read: ${error.message}. Reload the page`);
    });
    this.client.posesReceived.on((frame) => {
      this.poses.useFrame(frame);
      this.followNumbers();
    });
    this.world.changed.on((change) => {
      this.useChange(change);
    });
  }

  /** Whether commands can reach a server now. */
  get live(): boolean {
    return this.connection.state === 'open' && this.serverLink.connected;
  }

  /** Whether the world can be changed now. A recording cannot be. */
  get editable(): boolean {
    return this.live && this.playing.file === undefined;
  }

  get paused(): boolean {
    return this.playing.file === undefined ? (this.stats?.paused ?? true) : !this.playing.playing;
  }

  start(): void {
    this.client.start();
  }

  stop(): void {
    clearTimeout(this.numbersTimer);
    this.pulling.drop();
    this.textActions.clear();
    this.time.stop();
    this.plotting.stop();
    this.playing.stop();
    this.client.stop();
  }

  retryNow(): void {
    this.client.start();
  }

  select(id: EntityId | undefined): void {
    this.awaited = undefined;
    this.selected = id;
    this.watchSelected();
  }

  canDeleteSelected(): boolean {
    const entity = this.selected === undefined ? undefined : this.world.entity(this.selected);
    return entity !== undefined && canDelete(entity);
  }

  async togglePlay(): Promise<void> {
    const pause = !this.paused;
    await this.attempt(async () => {
      if (this.playing.file !== undefined) {
        await this.playing.change({ play: !pause });
        return;
      }
      await setPaused(this.client, pause);
      this.amendStats({ paused: pause });
    });
  }

  async step(): Promise<void> {
    if (this.playing.file !== undefined) {
      this.playing.step(1);
      return;
    }
    await this.attempt(() => stepWorld(this.client));
  }

  async setSpeed(realTimeFactor: number): Promise<void> {
    await this.attempt(async () => {
      await setSpeed(this.client, realTimeFactor);
      this.amendStats({ targetRealTimeFactor: realTimeFactor });
    });
  }

  async reset(): Promise<void> {
    await this.time.jumping('reset', () => this.attempt(() => resetWorld(this.client)));
  }

  async deleteSelected(): Promise<void> {
    const id = this.selected;
    if (id === undefined) {
      return;
    }
    if (!this.canDeleteSelected()) {
      this.say('warning', 'The world itself cannot be deleted. Select something in it');
      return;
    }
    await this.attempt(() => deleteEntities(this.client, [id]));
  }

  say(level: Level, text: string, { author = '', toast = 'full' }: About = {}): void {
    this.messages = withMessage(this.messages, { level, text, author, toast, at: Date.now() });
  }

  /** Does something and says why when it fails; returns whether it was done. */
  async attempt(action: () => Promise<unknown>): Promise<boolean> {
    try {
      await action();
      return true;
    } catch (error) {
      this.say('error', error instanceof Error ? error.message : String(error));
      return false;
    }
  }

  private selectWhenHere(id: EntityId): void {
    if (this.world.entity(id) === undefined) {
      this.awaited = id;
    } else {
      this.select(id);
    }
  }

  /** Shows at once what the server has just agreed to; the next statistics confirm it. */
  private amendStats(change: Partial<Pick<WorldStatistics, 'paused' | 'targetRealTimeFactor'>>): void {
    if (this.stats !== undefined) {
      this.stats = { ...this.stats, ...change };
    }
  }

  private useConnection(connection: Connection): void {
    this.connection = connection;
    this.pulling.drop();
    if (connection.state === 'open') {
      this.hasWorld = false;
      this.time.begin();
      this.editing.begin();
      this.plotting.begin();
      this.recording.begin();
      this.playing.begin();
      this.poses.clear();
    }
  }

  private receive(message: HostMessage['message']): void {
    switch (message.case) {
      case 'welcome':
        this.worldName = message.value.world;
        this.worldFile = message.value.worldFile;
        this.version = message.value.retakeVersion;
        break;
      case 'state':
        this.world.apply(message.value);
        break;
      case 'poseSet':
        this.poses.useSet(message.value.setId, message.value.entity.map(entityIdOf));
        break;
      case 'stats':
        this.useStats(message.value);
        break;
      case 'notification':
        this.say(levelOf(message.value), message.value.text, { author: message.value.author });
        break;
      case 'serverLink':
        this.serverLink = message.value;
        break;
      case 'timeJumped':
        this.pulling.drop();
        this.textActions.clear();
        this.simTimeSecs = this.time.useJump(message.value, this.playing.file === undefined ? 'world' : 'log');
        break;
      case 'history':
        this.time.useStats(message.value);
        break;
      case 'fields':
        this.editing.useFields(message.value);
        break;
      case 'pending':
        this.editing.usePending(message.value);
        break;
      case 'conflict':
        this.editing.useConflict(message.value);
        break;
      case 'clients':
        this.useClients(message.value.name);
        break;
      case 'plotLayout':
        this.plotting.useLayout(message.value);
        break;
      case 'plotFrame':
        this.plotting.useFrame(message.value);
        break;
      case 'recording':
        this.recording.useStatus(message.value);
        break;
      case 'playbackFile':
        this.playing.useFile(message.value);
        break;
      case 'playback':
        this.playing.usePlace(message.value);
        break;
      case 'textCommand':
        this.textActions.use(textActionOf(message.value));
        break;
      case 'reply':
      case undefined:
        break; // Replies were taken by the client; an unset message is from a newer host.
      default:
        assertNever(message);
    }
  }

  private useClients(names: readonly string[]): void {
    const clientId = this.connection.state === 'open' ? this.connection.welcome.clientId : undefined;
    const own = clientId === undefined ? undefined : ownNameOf(names, clientId);
    if (own !== undefined) {
      this.ownName = own;
      this.time.useName(own);
    }
  }

  private useStats(stats: WorldStatistics): void {
    this.stats = stats;
    this.simTimeSecs = secsOf(stats.simTime);
  }

  private useChange(change: WorldChange): void {
    if (change.structure) {
      this.structureVersion += 1;
    }
    if (change.replaced) {
      this.hasWorld = true;
    }
    if (this.awaited !== undefined && this.world.entity(this.awaited) !== undefined) {
      this.select(this.awaited);
    } else if (this.selected !== undefined && this.world.entity(this.selected) === undefined) {
      this.select(undefined);
    } else if (change.replaced) {
      this.watchSelected();
    }
    if (change.structure || (this.selected !== undefined && change.touched.has(this.selected))) {
      this.detailVersion += 1;
    }
  }

  private watchSelected(): void {
    const entity = this.selected === undefined ? [] : [BigInt(this.selected)];
    this.client.send({ message: { case: 'watch', value: { entity } } });
  }

  private followNumbers(): void {
    this.numbersTimer ??= setTimeout(() => {
      this.numbersTimer = undefined;
      this.simTimeSecs = this.poses.simTimeSecs ?? this.simTimeSecs;
      this.detailVersion += 1;
    }, NUMBERS_MS);
  }
}

/** What the window is called. */
export function titleOf({ worldName, playing }: Pick<Session, 'worldName' | 'playing'>): string {
  if (playing.file !== undefined) {
    return `${playing.file.name} (recording) – Retake`;
  }
  return worldName === '' ? 'Retake' : `${worldName} – Retake`;
}

function levelOf({ level }: Notification): Level {
  switch (level) {
    case Notification_Level.ERROR:
      return 'error';
    case Notification_Level.WARNING:
      return 'warning';
    case Notification_Level.INFO:
    case Notification_Level.UNSPECIFIED:
      return 'info';
    default:
      return 'info'; // Protobuf enums are open: a newer host may know more levels.
  }
}
