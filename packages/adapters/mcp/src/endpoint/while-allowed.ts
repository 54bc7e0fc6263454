/**
 * Returns a stream of notifications that ends once its reader has lost their right. The right is checked before each part
 * of the stream, and so every 15 seconds: the SDK sends comments.
 *
 * @param onEnd Called at the end of the stream, also if its reader is gone.
 */
export const whileAllowed = (
  response: Response,
  isAllowed: () => Promise<boolean>,
  onEnd: () => void = () => {},
): Response => {
  const checked = new TransformStream<Uint8Array, Uint8Array>({
    async transform(part, controller) {
      // What cannot be checked now is sent: notifications only say that something changed.
      if (await isAllowed().catch(() => true)) controller.enqueue(part)
      else controller.terminate()
    },
  })
  if (!response.body) return response
  response.body
    .pipeTo(checked.writable)
    .catch(() => {})
    .finally(onEnd)
  return new Response(checked.readable, response)
}
