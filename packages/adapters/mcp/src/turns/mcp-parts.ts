import type { Host } from '@sibyl/plugin'
import type { RequestRuns } from '@sibyl/plugin/host'
import type { personFiles, ServiceOf, skillLibrary } from '@sibyl/protocol'
import type { SessionMessages } from '../sessions/session-messages.ts'

/** The parts of the oracle that the endpoint uses. */
export interface McpParts extends Pick<Host, 'oracle' | 'turns' | 'grants' | 'log' | 'clock' | 'limits' | 'ending'> {
  readonly messages: SessionMessages
  /** The turns of `ask_oracle`, which a repeat finds. */
  readonly runs: RequestRuns
  /** The files of users, if a plugin keeps them. */
  readonly files?: ServiceOf<typeof personFiles>
  /** The skills, if a plugin keeps them. */
  readonly skills?: ServiceOf<typeof skillLibrary>
}
