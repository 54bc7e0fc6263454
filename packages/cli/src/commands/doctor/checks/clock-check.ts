import { formatDuration } from '../../../output/format.ts'
import type { DoctorContext } from '../doctor-context.ts'
import { type Finding, findingsOf } from '../finding.ts'

/** What invocations bear, in milliseconds. */
const borne = 60_000

/** The clock of this computer against those of all that answered; looked at when they have. */
export const checkClock = ({ times }: DoctorContext): Finding[] => {
  const { ok, fail } = findingsOf('This computer', 'clock')
  const off = times
    .map(({ host, time, ownTime }) => ({ host, by: ownTime - time }))
    .toSorted((one, other) => Math.abs(other.by) - Math.abs(one.by))
  const [worst] = off
  if (!worst) return []
  if (Math.abs(worst.by) <= borne)
    return [ok(`The clock agrees with ${[...new Set(off.map(it => it.host))].toSorted().join(', ')}`)]
  const side = worst.by > 0 ? 'ahead of' : 'behind'
  return [
    fail(
      `The clock is ${formatDuration(Math.abs(worst.by))} ${side} that of ${worst.host}.`,
      'Set it by the network (timedatectl set-ntp true): tokens are refused that are 60 s off.',
    ),
  ]
}
