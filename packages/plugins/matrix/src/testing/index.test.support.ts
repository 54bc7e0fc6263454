export {
  broken,
  busy,
  elsewhere,
  type Failure,
  misshapen,
  page,
  refusal,
  slow,
  truncated,
  type Wrong,
} from './failure.test.support.ts'
export { Homeserver, type HomeserverOptions } from './homeserver.test.support.ts'
export type { HomeserverRequest } from './homeserver-request.test.support.ts'
export type { EventContent, MatrixEvent, NewEvent } from './matrix-event.test.support.ts'
export { MatrixPerson } from './matrix-person.test.support.ts'
export { type HomeserverProcess, startHomeserverProcess } from './start-homeserver-process.test.support.ts'
