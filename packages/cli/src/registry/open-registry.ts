import { HttpRegistry } from '@sibyl/plugin-entities/registry'
import type { JsonValue } from '@sibyl/protocol'
import { openChainRegistry } from './chain-node.ts'
import { type Controller, isImpersonating } from './controller.ts'
import { explained } from './explain-registry-error.ts'
import type { OpenedRegistry, OpenRegistryOptions, RegistryWrite } from './opened-registry.ts'
import type { RegistryNode } from './registry-node.ts'

/**
 * Opens a registry for a controller. Errors are thrown as a `CommandError`.
 *
 * @param controller See `controllerFor`.
 * @throws `not_signed_in` on a chain when the mnemonic of the controller is not on this computer
 */
export const openRegistry = async (
  node: RegistryNode,
  controller: Controller,
  options: OpenRegistryOptions = {},
): Promise<OpenedRegistry> => {
  if (node.did === undefined) return openChainRegistry(node, controller, options)
  const registry = new HttpRegistry({
    url: node.url,
    expectedDid: node.did,
    signer: controller.signer,
    proofs: controller.proofs,
    impersonate: isImpersonating(controller),
    fetch: node.fetch,
  })
  return {
    node,
    controller,
    registry: explained(registry, node),
    preview: async write => httpRequestOf(node.url, write),
    forget: async () => {},
    close: () => node.close(),
  }
}

/** Returns the request that `HttpRegistry` sends for a write, without its `authorization`, which changes each time. */
export const httpRequestOf = (url: string, write: RegistryWrite): JsonValue => {
  const authorization = 'Bearer <an invocation for this request>'
  const type = 'application/json'
  if (write.kind === 'create') {
    const headers = { 'content-type': type, 'idempotency-key': write.idempotencyKey, authorization }
    return { method: 'POST', url: `${url}/v1/entities`, headers, body: write.creation as JsonValue }
  }
  const address = `${url}/v1/entities/${encodeURIComponent(write.did)}`
  if (write.kind === 'deactivate') {
    return { method: 'DELETE', url: address, headers: { 'if-match': write.etag, authorization } }
  }
  const headers = { 'content-type': type, 'if-match': write.etag, authorization }
  return { method: 'PATCH', url: address, headers, body: write.patch as JsonValue }
}
