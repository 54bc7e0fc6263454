import { Anchor, Button, Code, Group, Image, List, Stack, Table, Text, Timeline } from '@mantine/core'
import { type ClaimDetails, type CollectionRecord, claimDetails, collectionRecord } from '@sibyl/plugin-claims/records'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { Check, X } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CopyButton } from '../../components/copy-button.tsx'
import { isDrawn } from '../../components/drawn-pictures.ts'
import { Note } from '../../components/note.tsx'
import { Page } from '../../components/page.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { Section } from '../../components/section.tsx'
import { ErrorState, LoadingState } from '../../components/states.tsx'
import { useAccess, useApi } from '../../session/console-context.tsx'
import { CredentialDialog } from '../credentials/credential-dialog.tsx'
import { Facts } from '../parts/facts.tsx'
import { NamedDid } from '../parts/links.tsx'
import { ClaimStateBadge } from '../parts/state-badge.tsx'
import { ValueTable } from '../parts/value-table.tsx'
import { ClaimDecisions } from './claim-decisions.tsx'
import { QueueButtons } from './queue-buttons.tsx'

/** One claim: its data, evidence, rule results and steps, and the decisions that the user may make. */
export const ClaimView = () => {
  const { id = '' } = useParams({ strict: false }) as { readonly id?: string }
  const api = useApi()
  const { data, error, refetch } = useQuery({
    queryKey: ['claim', id],
    queryFn: ({ signal }) => api.get(`v1/claims/${encodeURIComponent(id)}`, { schema: claimDetails, signal }),
    // While the agent judges.
    refetchInterval: ({ state }) => (state.data?.state === 'evaluating' && !state.data.verdict ? 3_000 : false),
  })
  if (error) return <ErrorState error={error} onRetry={refetch} />
  return data ? <ShownClaim key={id} claim={data} /> : <LoadingState />
}

const ShownClaim = ({ claim }: { readonly claim: ClaimDetails }) => {
  const { t } = useTranslation('twins')
  const access = useAccess()
  const { id, type, state, createdAt, channel, data, submitter, asset, uri, decision } = claim
  const collection = useCollection(claim.collection)
  const [isShown, setShown] = useState(false)
  return (
    <Page
      title={`${type} …${id.slice(-6)}`}
      description={
        <Group gap="xs" component="span" display="inline-flex">
          <ClaimStateBadge state={state} />
          <span>
            {t('claims.submitted')} <RelativeTime value={createdAt} />
          </span>
          <span>{t('claims.through', { channel })}</span>
        </Group>
      }
      actions={access.may('claims/evaluate') && <QueueButtons id={id} />}
    >
      <ClaimDecisions claim={claim} collection={collection} onIssued={() => setShown(true)} />
      <Section title={t('claims.record')}>
        <Facts
          facts={[
            [t('claims.asset'), asset === undefined ? t('claims.noAsset') : <NamedDid did={asset} />],
            [t('claims.submitter'), <NamedDid key="submitter" did={submitter} />],
            [t('claims.collection'), collection?.title ?? claim.collection],
            [
              t('entities.protocol'),
              claim.protocol === undefined ? undefined : (
                <>
                  <NamedDid did={claim.protocol} /> {t('entity.version', { version: claim.protocolVersion ?? 1 })}
                </>
              ),
            ],
            [
              t(decision?.overruled ? 'claims.overruledBy' : 'claims.decidedBy'),
              decision && (
                <>
                  <NamedDid did={decision.by} /> <RelativeTime value={decision.at} />
                </>
              ),
            ],
            [
              t('claims.uri'),
              <Group key="uri" gap={4} wrap="nowrap">
                <Code style={{ overflowWrap: 'anywhere' }}>{uri}</Code>
                <CopyButton value={uri} />
              </Group>,
            ],
          ]}
        />
      </Section>
      <Section title={t('claims.data')}>
        {Object.keys(data).length > 0 ? (
          <ValueTable values={data} label={t('claims.data')} />
        ) : (
          <Note>{t('claims.noData')}</Note>
        )}
      </Section>
      <EvidenceSection claim={claim} />
      <VerdictSection claim={claim} />
      <CredentialSection claim={claim} isShown={isShown} onShow={setShown} />
      <StepsSection claim={claim} />
    </Page>
  )
}

const useCollection = (id: string): CollectionRecord | undefined => {
  const api = useApi()
  const { data } = useQuery({
    queryKey: ['collection', id],
    queryFn: ({ signal }) => api.get(`v1/collections/${encodeURIComponent(id)}`, { schema: collectionRecord, signal }),
    staleTime: 60_000,
    retry: false,
  })
  return data
}

const CredentialSection = ({
  claim: { credential },
  isShown,
  onShow,
}: {
  readonly claim: ClaimDetails
  readonly isShown: boolean
  readonly onShow: (isShown: boolean) => void
}) => {
  const { t } = useTranslation('twins')
  const access = useAccess()
  if (!credential) return null
  const isReadable = access.mayHave('credentials') && access.may('credentials/read')
  const { status, id } = credential
  return (
    <Section title={t('claims.credential')}>
      <Group>
        <Text size="sm">{t(`claims.credentialStates.${status}`)}</Text>
        {id !== undefined && isReadable && (
          <Button size="compact-xs" variant="default" onClick={() => onShow(true)}>
            {t('credentials.show')}
          </Button>
        )}
      </Group>
      <CredentialDialog id={isShown && isReadable ? id : undefined} onClose={() => onShow(false)} />
    </Section>
  )
}

const StepsSection = ({ claim: { transitions } }: { readonly claim: ClaimDetails }) => {
  const { t } = useTranslation('twins')
  return (
    <Section title={t('claims.steps')}>
      <Timeline active={transitions.length} bulletSize={10} lineWidth={1}>
        {transitions.map(({ position, action, by, at, why }) => (
          <Timeline.Item key={position} title={t(`claims.actions.${action}`)}>
            <Group gap="xs">
              <Text size="xs" c="dimmed" component="span">
                <RelativeTime value={at} />
              </Text>
              <NamedDid did={by} />
            </Group>
            {why !== undefined && <Text size="sm">{why}</Text>}
          </Timeline.Item>
        ))}
      </Timeline>
    </Section>
  )
}

/** A file that the submitter stored here: a picture, or a link that saves it. */
const StoredFile = ({
  link,
  mediaType,
  name,
}: {
  readonly link: string | undefined
  readonly mediaType: string
  readonly name: string
}) => {
  const { t } = useTranslation('twins')
  if (link === undefined) return null
  const content = isDrawn(mediaType) ? <Image src={link} alt={name} mah={320} w="auto" maw="100%" radius="sm" /> : null
  return (
    <Anchor href={link} download={name} size="sm" display="block" my={4}>
      {content ?? t('claims.saveFile')}
    </Anchor>
  )
}

/** The evidence of a claim: what is stored here, hashes and addresses. */
const EvidenceSection = ({ claim: { evidence, stored = [] } }: { readonly claim: ClaimDetails }) => {
  const { t } = useTranslation('twins')
  const api = useApi()
  const linkTo = (hash: string) => {
    const link = stored.find(one => one.hash === hash)?.link
    return link === undefined ? undefined : api.url(link)
  }
  return (
    <Section title={t('claims.evidence')}>
      {evidence.length === 0 ? (
        <Note>{t('claims.noEvidence')}</Note>
      ) : (
        <Stack component="ul" gap="sm" m={0} p={0} style={{ listStyle: 'none' }}>
          {evidence.map(({ hash, mediaType, name, url }) => (
            <li key={`${hash} ${url ?? ''}`}>
              <Text size="sm" fw={500}>
                <span>{name ?? mediaType}</span> {name !== undefined && <Code>{mediaType}</Code>}
              </Text>
              <StoredFile link={linkTo(hash)} mediaType={mediaType} name={name ?? mediaType} />
              <Group gap={4} wrap="nowrap">
                <Code style={{ overflowWrap: 'anywhere' }}>{hash}</Code>
                <CopyButton value={hash} label={t('claims.copyHash')} />
              </Group>
              {url !== undefined && linkTo(hash) === undefined && (
                <Group gap={4} wrap="nowrap">
                  <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
                    {url}
                  </Text>
                  <CopyButton value={url} label={t('claims.copyAddress')} />
                </Group>
              )}
            </li>
          ))}
          <Text size="xs" c="dimmed" component="li">
            {t('claims.evidenceNote')}
          </Text>
        </Stack>
      )}
    </Section>
  )
}

/** The decision of the evaluation, its reasons, and the rules with their results. */
const VerdictSection = ({ claim: { verdict } }: { readonly claim: ClaimDetails }) => {
  const { t } = useTranslation('twins')
  return (
    <Section title={t('claims.rules')}>
      {verdict ? (
        <Stack gap="xs">
          <Text size="sm">
            <b>{t(`claims.decisions.${verdict.decision}`)}</b> {t(`claims.methods.${verdict.method}`)}{' '}
            <RelativeTime value={verdict.at} />
          </Text>
          {verdict.reasons.length > 0 && (
            <List size="sm">
              {verdict.reasons.map(reason => (
                <List.Item key={reason}>{reason}</List.Item>
              ))}
            </List>
          )}
          {verdict.checks.length > 0 && (
            <Table verticalSpacing={4} aria-label={t('claims.rules')}>
              <Table.Tbody>
                {verdict.checks.map(({ id, of, passed, reason }) => (
                  <Table.Tr key={`${of} ${id}`}>
                    <Table.Td w={28}>
                      {passed ? (
                        <Check size={16} aria-label={t('claims.met')} />
                      ) : (
                        <X size={16} aria-label={t('claims.notMet')} />
                      )}
                    </Table.Td>
                    <Table.Th scope="row" fw={500}>
                      {id}
                    </Table.Th>
                    <Table.Td>{t(`claims.owners.${of}`)}</Table.Td>
                    <Table.Td>{passed ? '' : reason}</Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          )}
        </Stack>
      ) : (
        <Note>{t('claims.notJudged')}</Note>
      )}
    </Section>
  )
}
