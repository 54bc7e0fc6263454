import { Button, Group, Kbd, Paper, Stack, Text, Textarea } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { type ClaimDetails, type CollectionRecord, claimDetails } from '@sibyl/plugin-claims/records'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '../../components/confirm-button.tsx'
import { Note } from '../../components/note.tsx'
import { ShortcutsSwitch, useShortcuts } from '../../components/shortcuts.tsx'
import { ErrorState } from '../../components/states.tsx'
import { useNotify } from '../../components/use-notify.ts'
import { useAccess, useApi } from '../../session/console-context.tsx'
import { Facts } from '../parts/facts.tsx'
import { NamedDid } from '../parts/links.tsx'
import { ValueTable } from '../parts/value-table.tsx'
import { type Decision, decisionsOf } from './decisions.ts'

/** The decisions that are open to the user, with buttons and shortcuts. */
export const ClaimDecisions = ({
  claim,
  collection,
  onIssued,
}: {
  readonly claim: ClaimDetails
  /** Undefined while it loads, or if the user may not read it. */
  readonly collection: CollectionRecord | undefined
  /** Called after a decision that issued a credential. */
  readonly onIssued: () => void
}) => {
  const { t } = useTranslation('twins')
  const notify = useNotify()
  const api = useApi()
  const access = useAccess()
  const queries = useQueryClient()
  const { isOn } = useShortcuts()
  const [asked, setAsked] = useState<Decision>()
  const reasonInput = useRef<HTMLTextAreaElement>(null)
  const [reason, setReason] = useState('')
  const [missing, setMissing] = useState<Decision>()
  const decisions = decisionsOf(claim, collection).filter(({ ability }) => access.may(ability))
  const { mutateAsync, isPending, error } = useMutation({
    mutationFn: (decision: Decision) =>
      api.post(`v1/claims/${claim.id}/${decision.route}`, { schema: claimDetails, body: decision.body(reason.trim()) }),
    onSuccess: async (after, decision) => {
      queries.setQueryData(['claim', claim.id], after)
      setReason('')
      setMissing(undefined)
      notify.done(t(`claims.done.${decision.name}`))
      if (decision.issues && after.credential) onIssued()
      await Promise.all([
        queries.invalidateQueries({ queryKey: ['v1/claims'] }),
        queries.invalidateQueries({ queryKey: ['claims-queue'] }),
      ])
    },
    onError: () => void queries.invalidateQueries({ queryKey: ['claim', claim.id] }),
  })
  const decide = (decision: Decision) => {
    if (isPending) return
    if (decision.needsReason && reason.trim().length < 3) {
      setMissing(decision)
      reasonInput.current?.focus()
      return
    }
    if (decision.issues && collection?.credentialType !== undefined) setAsked(decision)
    else void mutateAsync(decision).catch(() => undefined)
  }
  useHotkeys(isOn ? decisions.map(decision => [decision.key, () => decide(decision)] as const) : [])
  if (decisions.length === 0) {
    return (
      <Note>{t(claim.state === 'upheld' || claim.state === 'invalidated' ? 'claims.ended' : 'claims.notYours')}</Note>
    )
  }
  return (
    <Paper withBorder p="md" component="section" aria-label={t('claims.decide')}>
      <Stack gap="sm">
        <Text size="sm" fw={600}>
          {t(`claims.waits.${claim.state as 'submitted' | 'evaluating' | 'approved' | 'rejected' | 'disputed'}`)}
        </Text>
        {decisions.some(({ takesReason }) => takesReason) && (
          <Textarea
            ref={reasonInput}
            label={t('claims.reason')}
            description={t(
              decisions.every(({ needsReason }) => needsReason) ? 'claims.reasonNeeded' : 'claims.reasonHint',
            )}
            value={reason}
            onChange={event => setReason(event.currentTarget.value)}
            error={missing && reason.trim().length < 3 ? t('claims.reasonMissing') : undefined}
            maxLength={1000}
            autosize
            minRows={1}
          />
        )}
        <Group gap="xs">
          {decisions.map(decision => (
            <Button
              key={decision.name}
              size="sm"
              variant={decision.isMain ? 'filled' : 'default'}
              disabled={isPending}
              onClick={() => decide(decision)}
              rightSection={
                isOn ? (
                  <Kbd size="xs" aria-hidden>
                    {decision.key}
                  </Kbd>
                ) : undefined
              }
              aria-keyshortcuts={isOn ? decision.key : undefined}
            >
              {t(`claims.decisionNames.${decision.name}`)}
            </Button>
          ))}
          <ShortcutsSwitch />
        </Group>
        {error && !asked && <ErrorState error={error} />}
        <ConfirmDialog
          isOpen={asked !== undefined}
          onClose={() => setAsked(undefined)}
          color="brand"
          title={t('claims.issueTitle', { type: collection?.credentialType ?? '' })}
          label={t(`claims.decisionNames.${asked?.name ?? 'approve'}`)}
          onConfirm={async () => asked && (await mutateAsync(asked))}
        >
          <Text size="sm">{t(asked?.name === 'evaluate' ? 'claims.issueIfMet' : 'claims.issueText')}</Text>
          <Facts
            facts={[
              [t('credentials.type'), collection?.credentialType],
              [t('credentials.subject'), <NamedDid key="subject" did={claim.asset ?? claim.submitter} />],
              [t('claims.collection'), collection?.title],
            ]}
          />
          <ValueTable values={claim.data} label={t('claims.data')} />
        </ConfirmDialog>
      </Stack>
    </Paper>
  )
}
