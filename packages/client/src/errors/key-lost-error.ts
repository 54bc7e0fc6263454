import { ClientError } from './client-error.ts'

/** The browser no longer has the key: its data was cleared, or another tab removed or replaced the key. */
export class KeyLostError extends ClientError {
  readonly code = 'key_lost'
  /** The DID of the lost key. */
  readonly did: string

  constructor(did: string) {
    super(
      `This browser no longer has the key of ${did}: its data was cleared, or another tab removed or replaced the key. ` +
        'Reload the page; if the key is gone, call replace() to start with a new identity.',
    )
    this.did = did
  }
}
