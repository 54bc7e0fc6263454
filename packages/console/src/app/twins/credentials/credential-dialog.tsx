import { Alert, Button, Center, Group, List, Modal, Stack, Table, Tabs, Text } from '@mantine/core'
import { type CredentialRecord, credentialRecord, verdict } from '@sibyl/plugin-credentials/records'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Check, Lock, ShieldCheck, ShieldX, X } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Problem } from '../../api/problem.ts'
import { CommandHint } from '../../components/command-hint.tsx'
import { curl } from '../../components/curl.ts'
import { Did } from '../../components/did.tsx'
import { FittingQr } from '../../components/fitting-qr.tsx'
import { JsonView } from '../../components/json-view.tsx'
import { QrCode } from '../../components/qr-code.tsx'
import { QueryStates } from '../../components/query-states.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { saveJson } from '../../components/save-file.ts'
import { FormButton } from '../../components/schema-form.tsx'
import { EmptyState, ErrorState } from '../../components/states.tsx'
import { useAccess, useApi } from '../../session/console-context.tsx'
import { Facts } from '../parts/facts.tsx'
import { NamedDid } from '../parts/links.tsx'
import { StatusBadge } from '../parts/state-badge.tsx'

/** A credential with its verification, its QR code and its document. */
export const CredentialDialog = ({
  id,
  onClose,
}: {
  readonly id: string | undefined
  readonly onClose: () => void
}) => {
  const { t } = useTranslation(['twins', 'common'])
  const api = useApi()
  const stored = useQuery({
    queryKey: ['credential', id],
    queryFn: ({ signal }) =>
      api.get(`credentials/${encodeURIComponent(id ?? '')}`, { schema: credentialRecord, signal }),
    enabled: id !== undefined,
  })
  return (
    <Modal
      opened={id !== undefined}
      onClose={onClose}
      size="xl"
      title={stored.data?.type ?? t('credentials.title')}
      closeButtonProps={{ 'aria-label': t('common:action.close') }}
    >
      {stored.error instanceof Problem && stored.error.status === 404 ? (
        <EmptyState icon={<Lock size={28} aria-hidden />} title={t('credentials.notReadable')}>
          {t('credentials.notReadableRemedy')}
        </EmptyState>
      ) : (
        <QueryStates query={stored}>{record => <Credential key={record.id} record={record} />}</QueryStates>
      )}
    </Modal>
  )
}

const Credential = ({ record }: { readonly record: CredentialRecord }) => {
  const { t } = useTranslation('twins')
  const api = useApi()
  const access = useAccess()
  const { id, subject, status, issuedBy, issuedAt, erasedAt, credential, changes } = record
  const path = `credentials/${encodeURIComponent(id)}`
  return (
    <Stack gap="md">
      <Facts
        facts={[
          [t('entities.status'), <StatusBadge key="status" status={status} />],
          [t('credentials.subject'), <NamedDid key="subject" did={subject} />],
          [t('credentials.issuedBy'), <NamedDid key="by" did={issuedBy} />],
          [t('credentials.issuedAt'), <RelativeTime key="at" value={issuedAt} />],
          [t('credentials.id'), <Did key="id" value={id} />],
        ]}
      />
      {erasedAt !== undefined && <Alert color="yellow">{t('credentials.erased')}</Alert>}
      <Verification credential={credential} />
      <Tabs defaultValue="qr" keepMounted={false}>
        <Tabs.List mb="sm">
          <Tabs.Tab value="qr">{t('credentials.qr')}</Tabs.Tab>
          <Tabs.Tab value="document">{t('credentials.document')}</Tabs.Tab>
          {changes.length > 0 && <Tabs.Tab value="changes">{t('history.changes')}</Tabs.Tab>}
        </Tabs.List>
        <Tabs.Panel value="qr">
          <CredentialQr id={id} document={credential} />
        </Tabs.Panel>
        <Tabs.Panel value="document">
          <JsonView value={credential} maxHeight={360} />
        </Tabs.Panel>
        <Tabs.Panel value="changes">
          <List size="sm">
            {changes.map(({ kind, by, reason, at }) => (
              <List.Item key={at}>
                {t(`credentials.changes.${kind}`)} <RelativeTime value={at} /> <NamedDid did={by} />: {reason}
              </List.Item>
            ))}
          </List>
        </Tabs.Panel>
      </Tabs>
      <Group>
        {access.may('credentials/revoke') && access.may('operator/write') && status !== 'revoked' && (
          <>
            <StatusButton path={path} verb={status === 'suspended' ? 'reinstate' : 'suspend'} />
            <StatusButton path={path} verb="revoke" />
          </>
        )}
        <Button size="xs" variant="default" onClick={() => saveJson(credential, 'credential.json')}>
          {t('credentials.download')}
        </Button>
      </Group>
      <CommandHint
        commands={[
          curl('GET', api.url(path)),
          `curl -H 'content-type: application/json' -d @credential.json '${api.url('credentials/verify')}'`,
        ]}
      />
    </Stack>
  )
}

/** Changes the status of a credential, for a reason. */
const StatusButton = ({ path, verb }: { readonly path: string; readonly verb: 'suspend' | 'reinstate' | 'revoke' }) => {
  const { t } = useTranslation('twins')
  const api = useApi()
  const queries = useQueryClient()
  const schema = {
    type: 'object',
    required: ['reason'],
    properties: { reason: { type: 'string', title: t('credentials.reason') } },
  }
  return (
    <FormButton
      label={t(`credentials.verbs.${verb}`)}
      draft={`${path} ${verb}`}
      schema={schema}
      {...(verb === 'revoke' ? { color: 'red' } : {})}
      onSubmit={async values => {
        await api.post(`${path}/${verb}`, { body: values })
        await Promise.all(['credential', 'credentials'].map(key => queries.invalidateQueries({ queryKey: [key] })))
      }}
    />
  )
}

const Verification = ({ credential }: { readonly credential: Readonly<Record<string, unknown>> }) => {
  const { t } = useTranslation('twins')
  const api = useApi()
  const { data, error, isPending, mutate } = useMutation({
    mutationFn: () => api.post('credentials/verify', { schema: verdict, body: { credential } }),
  })
  return (
    <Stack gap="xs" aria-live="polite">
      <Group>
        <Button size="xs" loading={isPending} onClick={() => mutate()}>
          {t('credentials.verify')}
        </Button>
        {data && (
          <Group gap={6} c={data.verified ? 'teal.9' : 'red.9'}>
            {data.verified ? <ShieldCheck size={18} aria-hidden /> : <ShieldX size={18} aria-hidden />}
            <Text size="sm" fw={600} c="var(--mantine-color-text)">
              {t(data.verified ? 'credentials.verified' : 'credentials.notVerified')}
            </Text>
          </Group>
        )}
      </Group>
      {error && <ErrorState error={error} />}
      {data && (
        <Table verticalSpacing={2} aria-label={t('credentials.checks')}>
          <Table.Tbody>
            {data.checks.map(({ name, ok, detail }) => (
              <Table.Tr key={name}>
                <Table.Td w={28}>
                  {ok ? (
                    <Check size={16} aria-label={t('credentials.passed')} />
                  ) : (
                    <X size={16} aria-label={t('credentials.failed')} />
                  )}
                </Table.Td>
                <Table.Th scope="row" w="8rem" fw={500}>
                  {name}
                </Table.Th>
                <Table.Td lang="en">{detail}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </Stack>
  )
}

/** A QR code with the whole credential, or with its id if the credential is too long. */
const CredentialQr = ({ id, document }: { readonly id: string; readonly document: unknown }) => {
  const { t } = useTranslation('twins')
  const label = t('credentials.qr')
  return (
    <Center>
      <FittingQr
        text={JSON.stringify(document)}
        label={label}
        note={t('credentials.qrWhole')}
        otherwise={
          <Stack gap="xs" align="center">
            <QrCode text={id} label={label} size="14rem" border={4} />
            <Text size="sm" c="dimmed" maw="28rem" ta="center">
              {t('credentials.qrId')}
            </Text>
          </Stack>
        }
      />
    </Center>
  )
}
