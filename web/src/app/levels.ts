/** How much a notification of the server weighs in the page. */
import type { Level } from '../panels/messages/model';
import { Notification_Level, type Notification } from '../protocol/generated/retake/msgs/world_pb';

export function levelOf({ level }: Notification): Level {
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
