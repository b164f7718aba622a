/** Brings connection, mirror and view state together. Panels get parts of it, never all. */
import { Client, type Connection } from '../client/client';
import { setPaused, setSpeed, stepWorld } from '../commands/controlWorld';
import { canDelete, deleteEntities } from '../commands/deleteEntities';
import { Pulling } from '../commands/pulling';
import { resetWorld } from '../commands/resetWorld';
import { saveWorld } from '../commands/saveWorld';
import { assertNever } from '../lib/assert';
import { Emitter } from '../lib/emitter';
import { errorText } from '../lib/errorText';
import { cleared, EMPTY_LOG, withMessage, type About, type Level, type Message, type MessageLog } from '../panels/messages/model';
import type { HostMessage } from '../protocol/generated/retake/msgs/page_pb';
import type { WorldStatistics } from '../protocol/generated/retake/msgs/world_pb';
import { secsOf } from '../protocol/time';
import { entityIdOf, type EntityId } from '../world/entity';
import { isPastSet, PoseStore } from '../world/poses';
import { movableJoints } from '../world/robotJoints';
import { textActionOf } from '../world/textCommand';
import { World, type WorldChange } from '../world/world';
import { Agreed } from './agreed';
import { Reasons } from './reasons';
import { compareBranches } from './comparing';
import { ContactWatch } from './contacts.svelte';
import { Editing } from './editing.svelte';
import { FileFindings } from './fileFindings';
import { levelOf } from './levels';
import { LookingBack } from './lookingBack.svelte';
import { ownNameOf } from './ownName';
import { PhysicsProfiles } from './physics.svelte';
import { Playing } from './playing.svelte';
import { Plotting } from './plotting.svelte';
import { LogRecording } from './recording.svelte';
import { Selection, topmost } from './selection.svelte';
import { Teaching } from './teaching.svelte';
import { TextActions } from './textActions.svelte';
import { TimeTravel } from './timeTravel.svelte';
import { BusView } from './topics.svelte';
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
  /** What the host calls its pages, this one among them. */
  clients: readonly string[] = $state.raw([]);
  /** What the host calls this page. */
  ownName = $state('');
  log: MessageLog = $state.raw(EMPTY_LOG);
  /** Counts up when entities come, go or are renamed. */
  structureVersion = $state(0);
  /** Counts up when what the inspector shows may be another. */
  detailVersion = $state(0);
  /** A full state has come since the connection began. */
  hasWorld = $state(false);

  readonly selection = new Selection(this.world, () => {
    this.watchSelected();
  });
  readonly time: TimeTravel;
  readonly editing: Editing;
  readonly plotting: Plotting;
  readonly recording: LogRecording;
  readonly pulling: Pulling;
  readonly textActions: TextActions;
  readonly playing: Playing;
  readonly teaching: Teaching;
  readonly physics: PhysicsProfiles;
  readonly bus: BusView;
  readonly past: LookingBack;
  readonly contacts: ContactWatch;

  /** Why this page cannot do something now. */
  readonly reasons = new Reasons(() => ({ recording: this.playing.file !== undefined, live: this.live, role: this.role, past: this.past.active }));

  /** The connection was lost; it is tried again. */
  readonly lost = new Emitter<void>();

  private readonly client: Client;
  private readonly control = new Agreed<WorldStatistics>((stats) => (this.stats = stats));
  private readonly findings: FileFindings;
  private numbersTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(url: string) {
    this.client = new Client(() => new WebSocket(url));
    this.findings = new FileFindings(this.client, (level, text, about) => {
      this.say(level, text, about);
    });
    this.time = new TimeTravel(this.client, (level, text, about) => {
      this.say(level, text, about);
    });
    this.editing = new Editing(this.client, {
      say: (level, text, about) => {
        this.say(level, text, about);
      },
      awaiting: () => this.selection.awaiting(),
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
    this.teaching = new Teaching(this.client, (robot) => movableJoints(this.world, robot));
    this.physics = new PhysicsProfiles(this.client, this.world, (cause, jump) => this.time.jumping(cause, jump));
    this.bus = new BusView(this.client);
    this.past = new LookingBack(this.client, {
      refused: (text) => {
        this.say('warning', text);
      },
      jumping: (jump) => this.time.jumpingOrThrow('resume', jump),
      stuck: () => this.time.stuck,
    });
    this.contacts = new ContactWatch(this.client, this.poses, (text) => {
      this.say('warning', text);
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

  /** What this page may do, as its host has it: viewer, editor or admin. */
  get role(): string {
    return this.connection.state === 'open' ? this.connection.welcome.role : '';
  }

  /** Whether the world can be changed now. */
  get editable(): boolean {
    return this.blocked === undefined;
  }

  /** Why the world cannot be changed now; undefined when it can. */
  get blocked(): string | undefined {
    return this.reasons.edit;
  }

  get messages(): readonly Message[] {
    return this.log.messages;
  }

  /** How many messages are more than a note. */
  get alarms(): number {
    return this.messages.filter(({ level }) => level !== 'info').length;
  }

  get paused(): boolean {
    return this.playing.file === undefined ? (this.stats?.paused ?? true) : !this.playing.playing;
  }

  start(): void {
    this.client.start();
  }

  stop(): void {
    clearTimeout(this.numbersTimer);
    this.control.clear();
    this.pulling.drop();
    this.textActions.clear();
    this.time.stop();
    this.plotting.stop();
    this.playing.stop();
    this.past.stop();
    this.teaching.stop();
    this.contacts.stop();
    this.client.stop();
  }

  retryNow(): void {
    this.client.start();
  }

  /** What was selected last; the inspector shows it. */
  get selected(): EntityId | undefined {
    return this.selection.last;
  }

  select(id: EntityId | undefined): void {
    this.selection.use(id === undefined ? [] : [id]);
  }

  /** Selected entities that can be deleted, without parts of one another. */
  deletable(): readonly EntityId[] {
    return topmost(this.world, this.selection.ids).filter((id) => {
      const entity = this.world.entity(id);
      return entity !== undefined && canDelete(entity);
    });
  }

  async togglePlay(): Promise<void> {
    const pause = !this.paused;
    await this.attempt(async () => {
      if (this.playing.file !== undefined) {
        await this.playing.change({ play: !pause });
        return;
      }
      await setPaused(this.client, pause);
      this.control.agree({ paused: pause });
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
      this.control.agree({ targetRealTimeFactor: realTimeFactor });
    });
  }

  async save(): Promise<void> {
    await this.attempt(async () => {
      this.say('info', await saveWorld(this.client));
    });
  }

  async reset(): Promise<void> {
    await this.time.jumping('reset', () => this.attempt(() => resetWorld(this.client)));
  }

  async deleteSelected(): Promise<void> {
    const ids = this.deletable();
    if (ids.length > 0) {
      await this.attempt(() => deleteEntities(this.client, ids));
    } else if (this.selected !== undefined) {
      this.say('warning', 'The world itself cannot be deleted. Select something in it');
    }
  }

  /** Draws two branches of the timeline in a plot; fails with a text for people. */
  async compare(one: string, other: string, signals: readonly string[]): Promise<void> {
    const { timeline } = this.past;
    if (timeline !== undefined) {
      const compared = { one, other, signals, nowSecs: this.simTimeSecs };
      this.plotting.views.tabId = await compareBranches(this.client, this.plotting, timeline, compared);
    }
  }

  say(level: Level, text: string, { author = '', toast = 'full', place = '', help = '' }: About = {}): void {
    this.log = withMessage(this.log, { level, text, author, toast, place, help, at: Date.now() });
  }

  clearMessages(): void {
    this.log = cleared(this.log);
  }

  /** Does something and says why when it fails; returns whether it was done. */
  async attempt(action: () => Promise<unknown>): Promise<boolean> {
    try {
      await action();
      return true;
    } catch (error) {
      this.say('error', errorText(error));
      return false;
    }
  }

  private useConnection(connection: Connection): void {
    this.connection = connection;
    this.pulling.drop();
    if (connection.state === 'lost') {
      this.lost.emit();
    }
    if (connection.state === 'open') {
      this.hasWorld = false;
      this.control.clear();
      this.time.begin();
      this.editing.begin();
      this.plotting.begin();
      this.recording.begin();
      this.playing.begin();
      this.teaching.begin();
      this.physics.begin();
      this.bus.begin();
      this.past.begin();
      this.contacts.begin();
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
        this.past.useSet(isPastSet(message.value.setId));
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
        // The clock goes there when what is seen does: this comes before the poses.
        this.time.useJump(message.value, this.playing.file === undefined ? 'world' : 'log');
        break;
      case 'history':
        this.time.useStats(message.value);
        this.physics.useEdit();
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
      case 'teach':
        this.teaching.useState(message.value);
        break;
      case 'teachLive':
        this.teaching.useLive(message.value);
        break;
      case 'topicRates':
        this.bus.useRates(message.value);
        break;
      case 'topicMessage':
        this.bus.useMessage(message.value);
        break;
      case 'timeline':
        this.past.use(message.value);
        // Poses came before it: numbers wait a little, but the present is never behind its own line.
        this.simTimeSecs = this.poses.presentSecs ?? this.simTimeSecs;
        break;
      case 'reply':
      case undefined:
        break; // Replies were taken by the client; an unset message is from a newer host.
      default:
        assertNever(message);
    }
  }

  private useClients(names: readonly string[]): void {
    this.clients = names;
    const clientId = this.connection.state === 'open' ? this.connection.welcome.clientId : undefined;
    const own = clientId === undefined ? undefined : ownNameOf(names, clientId);
    if (own !== undefined) {
      this.ownName = own;
      this.time.useName(own);
    }
  }

  private useStats(stats: WorldStatistics): void {
    this.control.use(stats);
    // Poses are never older than statistics that come after them, which may be of before a jump.
    this.simTimeSecs = this.poses.presentSecs ?? secsOf(stats.simTime);
    this.physics.useStats(stats);
  }

  private useChange(change: WorldChange): void {
    this.physics.useChange(change);
    if (change.structure) {
      this.structureVersion += 1;
    }
    if (change.replaced) {
      this.hasWorld = true;
      if (this.playing.file === undefined) {
        void this.findings.tell(this.worldFile);
      }
    }
    this.selection.follow();
    if (change.replaced) {
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
      this.simTimeSecs = this.poses.presentSecs ?? this.simTimeSecs;
      this.detailVersion += 1;
    }, NUMBERS_MS);
  }
}
