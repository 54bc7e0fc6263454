import { ToolFailure } from '@sibyl/plugin'

/** No protocol of that DID, or no such version of it, is registered here. */
export class ProtocolNotFound extends ToolFailure {
  override readonly code = 'protocol_not_found'
  override readonly status = 404

  constructor() {
    super('No protocol of that DID and version is registered here. GET /v1/protocols lists those that are.')
  }
}
