/** Headers of a page besides those of every response. */
export interface HtmlResponseOptions {
  /** As `pagePolicy` returns it. */
  readonly policy: string
  /** `no-store` for a page with a nonce or with data of its reader. @default 'no-cache' */
  readonly cacheControl?: 'no-cache' | 'no-store'
}

/** Returns the response with a page. */
export const htmlResponse = (html: string, { policy, cacheControl = 'no-cache' }: HtmlResponseOptions): Response =>
  new Response(html, {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy,
      'cache-control': cacheControl,
    },
  })
