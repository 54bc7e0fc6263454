import { ActionIcon, AppShell, Box, Group, Menu, Text } from '@mantine/core'
import { Outlet, useRouterState } from '@tanstack/react-router'
import { KeyRound, Settings } from 'lucide-react'
import { Suspense, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { LoadingState } from '../components/states.tsx'
import { useView } from '../session/console-context.tsx'
import { PreferencesItems } from '../shell/preferences-items.tsx'
import { Unreachable } from '../shell/unreachable.tsx'
import { useIsUnreachable } from '../shell/use-is-unreachable.ts'

/** The frame of all views of the explorer. The focus follows navigations, as on a new page. */
export const ExplorerShell = ({ onForget }: { readonly onForget: () => void }) => {
  const { t } = useTranslation(['explorer', 'common'])
  const { oracleName } = useView()
  const main = useRef<HTMLElement>(null)
  const path = useRouterState({ select: state => state.resolvedLocation?.pathname })
  const before = useRef(path)
  useEffect(() => {
    if (before.current !== undefined && before.current !== path) {
      scrollTo(0, 0)
      const heading = main.current?.querySelector('h1') ?? main.current
      heading?.focus({ preventScroll: true })
    }
    before.current = path
  }, [path])
  return (
    <AppShell header={{ height: 48 }} padding="md">
      <AppShell.Header>
        {/* A link to `#main` would lead to another view. */}
        <button type="button" className="skip" onClick={() => main.current?.focus()}>
          {t('common:navigation.skip')}
        </button>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Text fw={600} truncate>
            {oracleName}{' '}
            <Text span c="dimmed">
              {t('title')}
            </Text>
          </Text>
          <Menu position="bottom-end" width={220}>
            <Menu.Target>
              <ActionIcon variant="default" size="lg" aria-label={t('menu')}>
                <Settings size={18} aria-hidden />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              <PreferencesItems />
              <Menu.Divider />
              <Menu.Item leftSection={<KeyRound size={14} aria-hidden />} onClick={onForget}>
                {t('forget')}
              </Menu.Item>
            </Menu.Dropdown>
          </Menu>
        </Group>
      </AppShell.Header>
      <AppShell.Main id="main" tabIndex={-1} ref={main}>
        <Box maw={1240} mx="auto">
          {useIsUnreachable() && <Unreachable />}
          <Suspense fallback={<LoadingState />}>
            <Outlet />
          </Suspense>
        </Box>
      </AppShell.Main>
    </AppShell>
  )
}
