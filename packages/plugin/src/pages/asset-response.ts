import type { PageAsset } from './page-assets.ts'

/** Options of `assetResponse`. */
export interface AssetResponseOptions {
  /** Whether the URL has the hash of the content, so that it is cached forever. @default false */
  readonly immutable?: boolean
}

/**
 * Returns the response with a file of a page: compressed if accepted, and 304 if the caller has the current version.
 */
export const assetResponse = (
  asset: PageAsset,
  request: Headers,
  { immutable = false }: AssetResponseOptions = {},
): Response => {
  const { type, etag } = asset
  const headers = {
    etag,
    'cache-control': immutable ? 'public, max-age=31536000, immutable' : 'no-cache',
    vary: 'accept-encoding',
  }
  if (isUnchanged(request, etag)) return new Response(null, { status: 304, headers })
  const { coding, content } = encoded(asset, codingsOf(request))
  return new Response(new Uint8Array(content), {
    headers: { ...headers, 'content-type': type, ...(coding === undefined ? {} : { 'content-encoding': coding }) },
  })
}

const encoded = (
  { brotli, zipped, plain }: PageAsset,
  accepts: (coding: string) => boolean,
): { readonly coding?: string; readonly content: Uint8Array } => {
  if (brotli && accepts('br')) return { coding: 'br', content: brotli }
  return accepts('gzip') ? { coding: 'gzip', content: zipped() } : { content: plain() }
}

/** Returns whether the caller has the current version (RFC 9110, 13.1.2). */
export const isUnchanged = (request: Headers, etag: string): boolean =>
  (request.get('if-none-match') ?? '')
    .split(',')
    .some(one => one.trim() === '*' || one.trim().replace(/^W\//, '') === etag.replace(/^W\//, ''))

/** Returns whether the caller accepts a coding of the body (RFC 9110, 12.5.3). */
const codingsOf = (request: Headers): ((coding: string) => boolean) => {
  const weights = new Map(
    (request.get('accept-encoding') ?? '').split(',').map(one => {
      const [coding = '', ...parameters] = one.split(';').map(part => part.trim().toLowerCase())
      const weight = parameters.find(parameter => parameter.startsWith('q='))?.slice(2)
      return [coding, weight === undefined ? 1 : Number(weight)]
    }),
  )
  return coding => (weights.get(coding) ?? weights.get('*') ?? 0) > 0
}
