import { ActionIcon, AppShell, Badge, Burger, CloseButton, Group, Menu, NavLink, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Link, Outlet, useRouterState } from '@tanstack/react-router'
import { BookOpen, LogOut, ShieldAlert, UserRound } from 'lucide-react'
import { Suspense, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Did } from '../components/did.tsx'
import { LoadingState } from '../components/states.tsx'
import { useForDevelopers } from '../components/use-stored.ts'
import { useAccess, useConsole } from '../session/console-context.tsx'
import { forgetOperatorSignIn, isOperatorSignIn } from '../session/oauth.ts'
import type { Feature } from './feature.ts'
import { NewerConsole } from './newer-console.tsx'
import { PreferencesItems } from './preferences-items.tsx'
import { Unreachable } from './unreachable.tsx'
import { useIsUnreachable } from './use-is-unreachable.ts'

/** The frame of all views: navigation, account and the state of the connection. */
export const Shell = ({ features }: { readonly features: readonly Feature[] }) => {
  const { t } = useTranslation()
  const { oracleName, base } = useConsole()
  const access = useAccess()
  const [isForDevelopers] = useForDevelopers()
  const [isOpen, { toggle, close }] = useDisclosure()
  const path = useRouterState({ select: state => state.location.pathname })
  const isUnreachable = useIsUnreachable()
  useEffect(close, [path, close])
  return (
    <AppShell
      header={{ height: 48 }}
      navbar={{ width: 240, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      padding="md"
    >
      <AppShell.Header>
        <a className="skip" href="#main">
          {t('navigation.skip')}
        </a>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group gap="xs" wrap="nowrap" miw={0}>
            <Burger
              opened={isOpen}
              onClick={toggle}
              hiddenFrom="sm"
              size="sm"
              aria-label={t('navigation.open')}
              aria-expanded={isOpen}
            />
            <Text fw={600} truncate>
              {oracleName}
            </Text>
          </Group>
          <AccountMenu />
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs" aria-label={t('navigation.label')}>
        {features
          .filter(feature => feature.isShown(access, isForDevelopers))
          .map(({ name, path: target, icon: Icon, Badge: Count }) => (
            <NavLink
              key={name}
              renderRoot={props => <Link to={target} {...props} />}
              label={t(`navigation.${name}`)}
              leftSection={<Icon size={16} aria-hidden />}
              rightSection={Count && <Count />}
              active={target === '/' ? path === '/' : path === target || path.startsWith(`${target}/`)}
              aria-current={path === target ? 'page' : undefined}
            />
          ))}
        <NavLink
          mt="auto"
          href={new URL('docs', base.oracle).href}
          target="_blank"
          label={t('navigation.api')}
          leftSection={<BookOpen size={16} aria-hidden />}
        />
      </AppShell.Navbar>
      <AppShell.Main id="main" tabIndex={-1}>
        {isUnreachable && <Unreachable />}
        <NewerConsole isUnreachable={isUnreachable} />
        <NotOperator />
        <Suspense fallback={<LoadingState />}>
          <Outlet />
        </Suspense>
      </AppShell.Main>
    </AppShell>
  )
}

const AccountMenu = () => {
  const { t } = useTranslation()
  const { session } = useConsole()
  const { did, may } = useAccess()
  const operates = may('operator/write') ? 'operator' : may('operator/read') ? 'reader' : undefined
  return (
    <Group gap="xs" wrap="nowrap">
      {operates && (
        <Badge variant="light" visibleFrom="xs">
          {t(`account.${operates}`)}
        </Badge>
      )}
      <Menu position="bottom-end" width={280}>
        <Menu.Target>
          <ActionIcon variant="default" size="lg" aria-label={t('account.menu')}>
            <UserRound size={18} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>{t('account.signedInAs')}</Menu.Label>
          <Group px="sm" pb="xs">
            <Did value={did} />
          </Group>
          <Menu.Divider />
          <PreferencesItems />
          <Menu.Divider />
          <Menu.Item leftSection={<LogOut size={14} aria-hidden />} onClick={() => void session.end()}>
            {t('account.signOut')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </Group>
  )
}

/** A notice after a sign-in as operator with a DID that has no operator rights. */
const NotOperator = () => {
  const { t } = useTranslation()
  const { did, may } = useAccess()
  const [isShown, setShown] = useState(isOperatorSignIn)
  if (may('operator/read') || !isShown) return null
  const close = () => {
    forgetOperatorSignIn()
    setShown(false)
  }
  return (
    <Group gap="xs" role="status" mb="sm" wrap="nowrap" align="flex-start">
      <ShieldAlert size={16} aria-hidden style={{ flexShrink: 0, marginTop: 3 }} />
      <Text size="sm" flex={1}>
        {t('state.notOperator', { command: `npx sibyl token grant ${did} --ability operator/read` })}
      </Text>
      <CloseButton size="sm" aria-label={t('action.close')} onClick={close} />
    </Group>
  )
}
