/** Drafts of a made-up host: enough of teaching for the page to be looked at without a robot. */
import { create, type MessageInitShape } from '@bufbuild/protobuf';

import type { ReplySchema } from '../../src/protocol/generated/retake/msgs/page_pb';
import { TeachRequestSchema, TeachStateSchema, type DraftEdit, type MotionDraft, type TeachRequest, type TeachState } from '../../src/protocol/generated/retake/msgs/teach_pb';
import type { Body, FakeHost } from './fakeHost';

type Teach = MessageInitShape<typeof TeachStateSchema>;

export class FakeTeacher {
  readonly state: TeachState;
  /** What the page asked for, newest last. */
  readonly asked: TeachRequest['what'][] = [];
  /** Names that motions have already. */
  taken: readonly string[] = [];

  constructor(private readonly host: FakeHost, state: Teach) {
    this.state = create(TeachStateSchema, state);
    host.refusal = (request) => this.refuse(request);
    host.answer = (request) => this.answer(request);
    this.tell();
  }

  /** Why an execution is refused. */
  executionRefused: string | undefined;

  tell(): void {
    this.host.say({ case: 'teach', value: this.state });
  }

  /** Requests of one kind. */
  of(kind: TeachRequest['what']['case']): readonly TeachRequest['what']['value'][] {
    return this.asked.filter((what) => what.case === kind).map(({ value }) => value);
  }

  private refuse(request: Body): string | undefined {
    if (request.case !== 'teach') {
      return undefined;
    }
    const { what } = create(TeachRequestSchema, request.value);
    this.asked.push(what);
    if (what.case === 'save' && this.taken.includes(what.value.name) && !what.value.replace) {
      return `There is a motion ${what.value.name} already`;
    }
    return what.case === 'execute' ? this.executionRefused : undefined;
  }

  private answer(request: Body): MessageInitShape<typeof ReplySchema> {
    if (request.case !== 'teach') {
      return {};
    }
    const { what, robot } = request.value;
    const draft = this.state.draft.find((one) => one.robot === robot);
    switch (what.case) {
      case 'edit':
        if (draft !== undefined) {
          apply(draft, what.value);
          draft.revision += 1n;
          draft.unsaved = true;
          this.tell();
        }
        return {};
      case 'save':
        return { teach: { exists: this.taken.includes(what.value.name) && !what.value.replace } };
      case 'list':
        return { teach: { motions: SHELF } };
      case 'check':
        return { teach: { finding: [{ text: 'hand_left and head are in one place from 2.10 s to 2.35 s, 12 mm deep', time: 2.2, refused: true }] } };
      default:
        return {};
    }
  }
}

const SHELF = {
  folder: ['motions'],
  motion: [
    { name: 'bow', description: 'Bends forward and comes back', file: 'motions/bow.toml', durationSecs: 3.2, joint: ['hip'], waypoints: 4 },
    { name: 'wave', description: 'Waves with the left hand and says hello', file: 'motions/wave.toml', durationSecs: 4, joint: ['a', 'b', 'c'], waypoints: 7, actions: 2 },
  ],
  problem: ['motions/jump.toml:12: the time 0.5 is before 0.8, the one of the waypoint above'],
  group: [
    { name: 'arm_left', joint: ['shoulder_left_pitch', 'shoulder_left_roll', 'elbow_left', 'wrist_left'] },
    { name: 'arm_right', joint: ['shoulder_right_pitch', 'shoulder_right_roll', 'elbow_right', 'wrist_right'] },
    { name: 'head', joint: ['neck_yaw', 'neck_pitch'] },
  ],
};

/** Only the edits that journeys make. */
function apply({ motion }: MotionDraft, { edit }: DraftEdit): void {
  if (motion === undefined) {
    return;
  }
  const point = (id: bigint) => motion.waypoint.find((one) => one.id === id);
  switch (edit.case) {
    case 'name':
      motion.name = edit.value;
      break;
    case 'time':
      Object.assign(point(edit.value.id) ?? {}, { time: edit.value.time });
      motion.waypoint.sort((a, b) => a.time - b.time);
      break;
    case 'position': {
      const { id, joint, position } = edit.value;
      const at = motion.joint.findIndex(({ name }) => name === joint);
      point(id)?.position.splice(at, 1, position);
      break;
    }
    case 'enabled':
      Object.assign(point(edit.value.id) ?? {}, { enabled: edit.value.enabled });
      break;
    case 'markStart':
      motion.start = edit.value;
      break;
    case 'markEnd':
      motion.end = edit.value;
      break;
    case 'deleteWaypoints': {
      const gone = edit.value.id;
      motion.waypoint = motion.waypoint.filter(({ id }) => !gone.includes(id));
      break;
    }
    case 'mute': {
      const { joint, muted } = edit.value;
      Object.assign(motion.joint.find(({ name }) => name === joint) ?? {}, { muted });
      break;
    }
    default:
      break;
  }
}
