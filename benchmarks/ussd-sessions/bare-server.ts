import type { ServerOptions } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Settings of core's own server that may affect the cost of a request. */
export const serverOptions: ServerOptions = {
  maxHeaderSize: 16_384,
  headersTimeout: 20_000,
  requestTimeout: 60_000,
  connectionsCheckingInterval: 1_000,
  keepAliveTimeout: 65_000,
}

/** Says where a server listens, as `startProcess` waits for. */
export const reportUrl = ({ port }: Pick<AddressInfo, 'port'>): void => {
  console.log(`listening http://127.0.0.1:${port}`)
}
