/**
 * Returns a stream of notifications that ends once its reader has lost their right. The right is checked before each part
 * of the stream, and so every 15 seconds: the SDK sends comments.
 */
export const whileAllowed = (response: Response, isAllowed: () => Promise<boolean>): Response => {
  const checked = new TransformStream<Uint8Array, Uint8Array>({
    async transform(part, controller) {
      // What cannot be checked now is sent: notifications only say that something changed.
      if (await isAllowed().catch(() => true)) controller.enqueue(part)
      else controller.terminate()
    },
  })
  return new Response(response.body?.pipeThrough(checked) ?? null, response)
}
