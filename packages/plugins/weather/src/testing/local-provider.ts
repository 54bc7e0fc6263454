import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { forecastAnswer, geocodingAnswer, type ProviderAnswer } from './local-provider-answers.ts'
import { type ProviderMode, responder } from './local-provider-modes.ts'

export { type ProviderMode, providerModes } from './local-provider-modes.ts'

/** Options of a local provider. */
export interface LocalProviderOptions {
  /** @default 'ok' */
  readonly mode?: ProviderMode | undefined
  /** @default 0, any free port */
  readonly port?: number
}

/** A running local provider. */
export interface LocalProvider {
  /** Value for `WEATHER_BASE_URL`. */
  readonly url: string
  /** Requested paths, oldest first. */
  readonly requests: readonly string[]
  /** Changes the mode for later requests. */
  setMode(mode: ProviderMode): void
  /** Closes all connections and frees the port. */
  stop(): Promise<void>
}

/**
 * Starts a server on loopback in place of Open-Meteo, for use without a network. It can fail like a real provider. It
 * has about a dozen cities, including Berlin. Its responses follow Open-Meteo's published documentation; the weather in
 * them is invented.
 *
 * @example
 * const provider = await startLocalProvider({ mode: 'slow' })
 * const app = await createOracleApp({ config, plugins: [weather()], env: { WEATHER_BASE_URL: provider.url } })
 */
export const startLocalProvider = async ({
  mode = 'ok',
  port = 0,
}: LocalProviderOptions = {}): Promise<LocalProvider> => {
  const requests: string[] = []
  let respond = responder(mode)

  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost')
    requests.push(url.pathname)
    respond(response, answerTo(url), url)
  })
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve))

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    setMode(next) {
      respond = responder(next)
    },
    async stop() {
      const closed = new Promise(resolve => server.close(resolve))
      server.closeAllConnections()
      await closed
    },
  }
}

const answerTo = ({ pathname, searchParams }: URL): ProviderAnswer => {
  if (pathname.endsWith('/v1/search')) return geocodingAnswer(searchParams)
  if (pathname.endsWith('/v1/forecast')) return forecastAnswer(searchParams, new Date())
  return { status: 404, body: { error: true, reason: 'Not Found' } }
}
