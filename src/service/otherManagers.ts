// The same for macOS and Windows, as texts to read and adapt: none of them has been tested.

import { requireQuotable, type ServiceOptions, serveWords } from './serviceOptions.ts';

const words = (options: ServiceOptions): readonly string[] => {
  const { node, main, passwordFile, walletPasswordFiles = new Map() } = options;
  const secret = passwordFile === undefined ? [] : ['--password-file', passwordFile];
  const others = [...walletPasswordFiles].flatMap(([name, file]) => [
    '--wallet-password-file',
    `${name}=${file}`,
  ]);
  return [node, main, ...serveWords(options), ...secret, ...others];
};

const xml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** ~/Library/LaunchAgents/wallet-companion.plist, loaded with `launchctl bootstrap gui/$UID FILE`. */
export function launchdPlist(options: ServiceOptions): string {
  const all = words(options);
  requireQuotable(all);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<!-- Untested. Save as ~/Library/LaunchAgents/wallet-companion.plist, then: launchctl bootstrap gui/$UID FILE -->',
    '<plist version="1.0">',
    '<dict>',
    '  <key>Label</key><string>wallet-companion</string>',
    '  <key>ProgramArguments</key>',
    '  <array>',
    ...all.map((word) => `    <string>${xml(word)}</string>`),
    '  </array>',
    '  <key>RunAtLoad</key><true/>',
    '  <key>KeepAlive</key><dict><key>SuccessfulExit</key><false/></dict>',
    '  <key>ThrottleInterval</key><integer>30</integer>',
    '  <key>ExitTimeOut</key><integer>30</integer>',
    '  <key>Umask</key><integer>63</integer>',
    '</dict>',
    '</plist>',
    '',
  ].join('\n');
}

/** For PowerShell. A task kills its program: the files survive that. */
export function windowsTask(options: ServiceOptions): string {
  const [program = '', ...rest] = words(options);
  const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;
  if ([program, ...rest].some((word) => /["\r\n]/.test(word))) requireQuotable(['"']);
  // A backslash before the closing quote would escape it.
  const line = rest.map((word) => `"${word.replace(/\\+$/, '$&$&')}"`).join(' ');
  return [
    '# Untested. In PowerShell, as the user whose wallet it is:',
    `$action = New-ScheduledTaskAction -Execute ${literal(program)} -Argument ${literal(line)}`,
    '$trigger = New-ScheduledTaskTrigger -AtLogOn -User $env:USERNAME',
    '$settings = New-ScheduledTaskSettingsSet -RestartCount 3 -RestartInterval (New-TimeSpan -Minutes 1) -ExecutionTimeLimit 0',
    'Register-ScheduledTask -TaskName wallet-companion -Action $action -Trigger $trigger -Settings $settings',
    '',
  ].join('\n');
}
