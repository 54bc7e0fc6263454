import { definePlugin, type OraclePlugin, provide } from '@sibyl/core'
import { entities } from '@sibyl/plugin-entities'
import {
  type CredentialRequest,
  credentialIssuer,
  type DirectoryEdge,
  type DirectoryEntity,
  type DirectoryProtocol,
  type EntityDirectory,
  entityDirectory,
  type PreparedCredential,
} from '@sibyl/protocol'

/** Entities in memory, until the real plugin offers its directory. */
export class StandInDirectory implements EntityDirectory {
  readonly entities = new Map<string, DirectoryEntity>()
  readonly protocols = new Map<string, DirectoryProtocol[]>()
  readonly edges: DirectoryEdge[] = []

  async find(dids: readonly string[]) {
    return new Map(dids.flatMap(did => [...(this.entities.has(did) ? [[did, this.entities.get(did)!] as const] : [])]))
  }

  async protocol(did: string, version?: number) {
    const versions = this.protocols.get(did) ?? []
    return version === undefined ? versions.at(-1) : versions.find(one => one.version === version)
  }

  async link(edges: readonly DirectoryEdge[]) {
    this.edges.push(...edges)
  }

  async addCredential() {}

  async removeCredential() {}
}

/** The entities plugin with the directory. */
export const standInEntities = (directory: StandInDirectory): OraclePlugin => {
  const real = entities()
  return {
    ...real,
    setup: async host => {
      const parts = await real.setup(host)
      return { ...parts, services: [...(parts.services ?? []), provide(entityDirectory, directory)] }
    },
  }
}

/** An issuer that remembers what it did. */
export interface StandInIssuer {
  readonly plugin: OraclePlugin
  readonly stored: Map<string, CredentialRequest>
  readonly revoked: Map<string, string>
  /** What the next preparations fail with. */
  failure: Error | undefined
}

/** A plugin that issues credentials without signing them. */
export const standInCredentials = (): StandInIssuer => {
  const stored = new Map<string, CredentialRequest>()
  const revoked = new Map<string, string>()
  const requests = new WeakMap<PreparedCredential, CredentialRequest>()
  const issuer: StandInIssuer = {
    stored,
    revoked,
    failure: undefined,
    plugin: definePlugin({
      name: 'credentials',
      version: '0.1.0',
      core: '^0.1.0',
      manifest: { title: 'Credentials', summary: 'Credentials.', whenToUse: ['never'] },
      setup: () => ({
        services: [
          provide(credentialIssuer, {
            async prepare(request) {
              if (issuer.failure) throw issuer.failure
              const prepared = { id: `urn:uuid:${crypto.randomUUID()}`, document: {} }
              requests.set(prepared, request)
              return prepared
            },
            async store(prepared) {
              stored.set(prepared.id, requests.get(prepared)!)
              return { id: prepared.id }
            },
            async revoke(id, _by, reason) {
              revoked.set(id, reason)
            },
          }),
        ],
      }),
    }),
  }
  return issuer
}
