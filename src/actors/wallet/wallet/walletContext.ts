// What the features of the wallet actor share, built once per actor.

import { networkParameters } from '@wallet-companion/zcash/network';
import { Configuration } from '../config/handlers.ts';
import { Following } from '../follow/following.ts';
import { Invoices } from '../invoices/invoices.ts';
import { refundRequest, requireCovered } from '../invoices/refunding.ts';
import { MempoolWatch } from '../mempool/mempoolWatch.ts';
import { AskingAgain } from '../payments/askingAgain.ts';
import { Broadcasting } from '../payments/broadcasting.ts';
import { Payments } from '../payments/payments.ts';
import type { SpendingContext } from '../payments/proposalContext.ts';
import { Rebroadcasting } from '../payments/rebroadcasting.ts';
import { Returns } from '../payments/returned.ts';
import { Signing } from '../payments/signing.ts';
import type { WalletEnvironment } from '../ports/walletEnvironment.ts';
import { Sessions } from '../session/sessions.ts';
import { ScanHeight } from '../sync/scanHeight.ts';
import { Scans } from '../sync/scans.ts';
import { WitnessMaker } from '../witnesses/witnesses.ts';

export interface WalletContext extends SpendingContext {
  readonly scans: Scans;
  readonly configuration: Configuration;
  readonly following: Following;
  readonly invoices: Invoices;
}

export function walletContext(environment: WalletEnvironment): WalletContext {
  const { network, activation_heights: heights } = environment.configFile.get();
  const params = networkParameters(network, heights);
  const scanHeight = new ScanHeight(environment);
  const sessions = new Sessions(environment, params, scanHeight);
  const mempool = new MempoolWatch(environment, () => sessions.current);
  const scans = new Scans(environment, scanHeight, sessions, mempool);
  const configuration = new Configuration(environment, params, sessions, scanHeight);
  const payments = new Payments(environment, params, sessions, mempool);
  const invoices = new Invoices(environment, params, sessions, mempool, payments);
  const broadcasting = new Broadcasting(payments, (session, refund) =>
    requireCovered(invoices, session, refund),
  );
  const rebroadcasting = new Rebroadcasting(payments, broadcasting);
  const witnesses = new WitnessMaker(environment, sessions, {
    readAgain: (range) => scans.readAgain(range),
    compactServer: () => environment.configFile.get().compact_server_url,
  });
  const returns = new Returns(payments);
  const signing = new Signing({ payments, sessions, witnesses }, returns);
  const askingAgain = new AskingAgain(payments, signing);
  mempool.listen((session, found) => {
    payments.events.report(session);
    void rebroadcasting.look(session);
    void askingAgain.look(session);
    invoices.look(session, found);
  });
  return {
    environment,
    params,
    sessions,
    mempool,
    scans,
    configuration,
    following: new Following(environment, sessions, scans, mempool),
    witnesses,
    payments,
    returns,
    signing,
    broadcasting,
    invoices,
    refundRequest: refundRequest({ environment, params, sessions, invoices }),
  };
}
