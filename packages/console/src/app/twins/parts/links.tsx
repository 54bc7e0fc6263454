import { Anchor, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Did } from '../../components/did.tsx'
import { PersonLink } from '../../components/person-link.tsx'
import { useAccess, useView } from '../../session/console-context.tsx'
import { useOracleRecord } from '../../session/use-oracle-record.ts'
import { isEntityDid, labelOf } from './entity-label.ts'
import { useEntityName } from './names.tsx'

/** A link to an entity, or to a protocol, with its name. */
export const EntityLink = ({
  did,
  type,
  name,
}: {
  readonly did: string
  readonly type: string
  readonly name: string | undefined
}) => (
  <Anchor
    renderRoot={props => (
      <Link to={type === 'Protocol' ? '/twins/protocols/$did' : '/twins/entities/$did'} params={{ did }} {...props} />
    )}
    size="sm"
    fw={500}
    title={did}
    style={{ overflowWrap: 'anywhere' }}
  >
    {labelOf(name, type, did)}
  </Anchor>
)

/** The party or entity of a DID: an entity with its name and a link, another DID shortened. */
export const NamedDid = ({ did }: { readonly did: string }) =>
  isEntityDid(did) ? <NamedEntity did={did} /> : <Party did={did} />

/** The oracle by its name, the user as such, and others by name or DID. */
const Party = ({ did }: { readonly did: string }) => {
  const { t } = useTranslation('twins')
  const { oracleName } = useView()
  const own = useOracleDids()
  const access = useAccess()
  const name = own.includes(did) ? oracleName : did === access.did ? t('you') : undefined
  if (name === undefined) return <PersonLink did={did} />
  return (
    <Text span size="sm" title={did}>
      {name}
    </Text>
  )
}

const useOracleDids = (): readonly string[] => {
  const { data } = useOracleRecord()
  return [data?.did, data?.publicDid].filter(did => did !== undefined)
}

const NamedEntity = ({ did }: { readonly did: string }) => {
  const known = useEntityName(did)
  if (known) return <EntityLink did={did} type={known.type} name={known.name} />
  if (known === null) return <Did value={did} />
  return (
    <Text span size="sm" c="dimmed" title={did}>
      …
    </Text>
  )
}

export const ClaimLink = ({ id, children }: { readonly id: string; readonly children: ReactNode }) => (
  <Anchor size="sm" fw={500} renderRoot={props => <Link to="/twins/claims/$id" params={{ id }} {...props} />}>
    {children}
  </Anchor>
)
