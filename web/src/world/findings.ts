/** What was found in the world's file when it was loaded. */
import { Finding_Severity as Severity, type Finding as WireFinding, type Findings } from '../protocol/generated/retake/msgs/findings_pb';

export interface Finding {
  readonly level: 'info' | 'warning' | 'error';
  readonly text: string;
  /** As `file:line:column`; empty when it is about no place. */
  readonly place: string;
  /** What to do about it; may be empty. */
  readonly help: string;
}

export function findingsOf({ finding, leftOut }: Findings): readonly Finding[] {
  const more: readonly Finding[] = leftOut > 0 ? [{ level: 'warning', text: `and ${leftOut} more findings that there was no room for`, place: '', help: '' }] : [];
  return [...finding.map(findingOf), ...more];
}

function findingOf({ severity, text, help, file, line, column }: WireFinding): Finding {
  const place = file === '' ? '' : line === 0 ? file : `${file}:${line}:${column}`;
  return { level: levelOf(severity), text, place, help };
}

function levelOf(severity: Severity): Finding['level'] {
  switch (severity) {
    case Severity.ERROR:
      return 'error';
    case Severity.WARNING:
      return 'warning';
    case Severity.NOTE:
    case Severity.UNSPECIFIED:
    default:
      return 'info'; // Protobuf enums are open: a newer server may know more.
  }
}
