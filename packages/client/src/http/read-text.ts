import { NetworkError, ResponseTooLargeError } from '../errors/request-errors.ts'

/**
 * Reads a whole body as text.
 *
 * @param limit The most characters to take.
 * @throws ResponseTooLargeError (`response_too_large`), NetworkError (`network_failed`) when the body breaks off
 */
export const readText = async (response: Response, limit: number): Promise<string> => {
  const reader = response.body?.getReader()
  if (!reader) return ''
  const decoder = new TextDecoder()
  let text = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return text + decoder.decode()
      text += decoder.decode(value, { stream: true })
      if (text.length > limit) throw new ResponseTooLargeError(`The response from ${response.url}`, limit)
    }
  } catch (error) {
    await reader.cancel().catch(() => {})
    if (error instanceof ResponseTooLargeError || isAbort(error)) throw error
    throw new NetworkError(response.url, 'the response was interrupted', { cause: error })
  }
}

const isAbort = (error: unknown): boolean => error instanceof Error && error.name === 'AbortError'
