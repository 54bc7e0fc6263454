import { isToolFailure } from '@sibyl/plugin'
import { WeatherBadResponse, WeatherTimeout, WeatherUnavailable } from './weather-errors.ts'

const maxBytes = 256 * 1024

/**
 * Fetches JSON from the weather provider, once more where the first try fails on the way. At most 256 kB are read and
 * no redirect is followed; nothing of what the provider said reaches an error's text.
 *
 * @param signal Aborts when the time of the whole lookup is over.
 * @throws WeatherUnavailable, WeatherTimeout, WeatherBadResponse
 */
export const fetchJson = async (url: URL, signal: AbortSignal): Promise<unknown> => {
  try {
    return await attempt(url, signal)
  } catch (error) {
    if (error instanceof WeatherUnavailable) return await attempt(url, signal)
    throw error
  }
}

const attempt = async (url: URL, signal: AbortSignal): Promise<unknown> => {
  try {
    const response = await fetch(url, { signal, redirect: 'manual', headers: { accept: 'application/json' } })
    return parseJson(await readBody(response))
  } catch (cause) {
    if (signal.aborted) throw new WeatherTimeout({ cause })
    if (isToolFailure(cause)) throw cause
    throw new WeatherUnavailable({ cause })
  }
}

const readBody = async (response: Response): Promise<string> => {
  if (response.status !== 200) {
    await response.body?.cancel()
    const cause = new Error(`the provider answered with status ${response.status}`)
    throw response.status >= 500 || response.status === 429
      ? new WeatherUnavailable({ cause })
      : new WeatherBadResponse({ cause })
  }
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength
    if (bytes > maxBytes) throw new WeatherBadResponse({ cause: new Error(`more than ${maxBytes} bytes`) })
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new WeatherBadResponse({ cause })
  }
}
