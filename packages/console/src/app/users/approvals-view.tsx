import { Anchor, Button, Group, Kbd, Stack, Text } from '@mantine/core'
import type { PendingApproval } from '@sibyl/core/records'
import { Link } from '@tanstack/react-router'
import { Inbox } from 'lucide-react'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { CommandHint } from '../components/command-hint.tsx'
import { PageStates } from '../components/page-states.tsx'
import { ShortcutsSwitch, useShortcuts } from '../components/shortcuts.tsx'
import { EmptyState, NotAllowedState } from '../components/states.tsx'
import { useAccess } from '../session/console-context.tsx'
import { ApprovalCard } from './approval-card.tsx'
import { ApprovalCounts } from './approval-counts.tsx'
import { useApprovals } from './use-approvals.ts'
import { UsersPage } from './users-page.tsx'

/** The approvals and questions that wait for the user, on all channels. */
export const ApprovalsView = () => {
  const { t } = useTranslation('users')
  const { may } = useAccess()
  return (
    <UsersPage title={t('approvals.title')} description={t('approvals.description')}>
      {may('operator/read') && (
        <Group gap="xs">
          <ApprovalCounts />
          <Anchor size="sm" underline="always" renderRoot={props => <Link to="/users/waiting" {...props} />}>
            {t('waiting.show')}
          </Anchor>
        </Group>
      )}
      {may('session/read') ? <ApprovalList /> : <NotAllowedState ability="session/read" />}
    </UsersPage>
  )
}

const ApprovalList = () => {
  const { t } = useTranslation('users')
  const { t: common } = useTranslation()
  const pages = useApprovals()
  const { isOn } = useShortcuts()
  const { items, hasMore, isLoadingMore, loadMore, refetch } = pages
  const list = useRef<HTMLDivElement>(null)
  /** Moves the focus to the next or the previous card. */
  const move = (by: 1 | -1) => {
    const cards = [...(list.current?.querySelectorAll<HTMLElement>('article') ?? [])]
    const at = cards.findIndex(card => card.contains(document.activeElement))
    cards[Math.min(Math.max(at + by, 0), cards.length - 1)]?.focus()
  }
  return (
    <PageStates
      pages={pages}
      empty={
        <EmptyState icon={<Inbox size={28} aria-hidden />} title={t('approvals.none')}>
          {t('approvals.noneRemedy')}
        </EmptyState>
      }
    >
      <Stack gap="sm">
        <Group gap="xs">
          {isOn && (
            <Text size="xs" c="dimmed">
              <Kbd>J</Kbd> <Kbd>K</Kbd> {t('approvals.keyMove')}, <Kbd>A</Kbd> {t('approvals.keyOnce')}, <Kbd>S</Kbd>{' '}
              {t('approvals.keySession')}, <Kbd>D</Kbd> {t('approvals.keyDeny')}
            </Text>
          )}
          <ShortcutsSwitch />
        </Group>
        <Stack gap="sm" ref={list}>
          {items.map(approval => (
            <ApprovalCard key={approval.id} approval={approval} onMove={move} onAnswered={refetch} />
          ))}
        </Stack>
        {hasMore && (
          <Button
            variant="default"
            size="xs"
            loading={isLoadingMore}
            onClick={loadMore}
            style={{ alignSelf: 'center' }}
          >
            {common('action.more')}
          </Button>
        )}
        <CommandHint commands={['GET /approvals', callOf(items[0])]} />
      </Stack>
    </PageStates>
  )
}

const callOf = (approval: PendingApproval | undefined): string =>
  `POST /chat/${approval?.sessionId ?? '{id}'}/approvals/${approval?.id ?? '{approvalId}'} {"decision":"once"}`
