import { OracleError } from '@sibyl/plugin'

/** The port is already in use. */
export class PortInUseError extends OracleError {
  readonly code = 'port_in_use'

  /** @param port The port in use. */
  constructor(port: number) {
    super(`Port ${port} is already in use. Stop the other process, or set PORT to a free port (0 selects one).`, {
      port,
    })
  }
}

/** The server cannot listen on the address. */
export class ListenFailedError extends OracleError {
  readonly code = 'listen_failed'

  constructor(host: string, port: number, reason: string) {
    super(`Cannot listen on ${host}:${port} (${reason}). Check HOST and PORT.`, { host, port })
  }
}
