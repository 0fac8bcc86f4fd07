import type { Sequelize } from 'sequelize';
import { Attachment, defineAttachment } from './Attachment.ts';
import { defineCheck, Check } from './Check.ts';
import { defineCheckBatch, CheckBatch } from './CheckBatch.ts';
import { defineCheckDay, CheckDay } from './CheckDay.ts';
import { defineCheckSample, CheckSample } from './CheckSample.ts';
import { defineCloudflareAccount, CloudflareAccount } from './CloudflareAccount.ts';
import { defineCloudflareGroup, CloudflareGroup } from './CloudflareGroup.ts';
import { defineCloudflareGroupAccount, CloudflareGroupAccount } from './CloudflareGroupAccount.ts';
import { defineDomain, Domain } from './Domain.ts';
import { defineImport, Import } from './Import.ts';
import { defineInstallation, Installation } from './Installation.ts';
import { defineOperation, Operation } from './Operation.ts';
import { defineOperationItem, OperationItem } from './OperationItem.ts';
import { defineOperationResult, OperationResult } from './OperationResult.ts';
import { definePlan, Plan } from './Plan.ts';
import { defineProject, Project } from './Project.ts';
import { defineRegistrar, Registrar } from './Registrar.ts';
import { defineServer, Server } from './Server.ts';
import { defineSession, Session } from './Session.ts';
import { defineSignInNetwork, SignInNetwork } from './SignInNetwork.ts';
import { defineSetupLink, SetupLink } from './SetupLink.ts';
import { defineSite, Site } from './Site.ts';
import { defineTemplate, Template } from './Template.ts';
import { defineTemplateArchive, TemplateArchive } from './TemplateArchive.ts';
import { defineTransferDecision, TransferDecision } from './TransferDecision.ts';
import { defineTransferHistory, TransferHistory } from './TransferHistory.ts';
import { defineTransferStop, TransferStop } from './TransferStop.ts';
import { defineUser, User } from './User.ts';
import { defineVerdictBaseline, VerdictBaseline } from './VerdictBaseline.ts';
import { defineZoneLevel, ZoneLevel } from './ZoneLevel.ts';

export {
  Attachment,
  Check,
  CheckBatch,
  CheckDay,
  CheckSample,
  CloudflareAccount,
  CloudflareGroup,
  CloudflareGroupAccount,
  Domain,
  Import,
  Installation,
  Operation,
  OperationItem,
  OperationResult,
  Plan,
  Project,
  Registrar,
  Server,
  Session,
  SignInNetwork,
  SetupLink,
  Site,
  Template,
  TemplateArchive,
  TransferDecision,
  TransferHistory,
  TransferStop,
  User,
  VerdictBaseline,
  ZoneLevel,
};

/** Ties every model to a connection. Each has its table's columns; test/db/models.test.ts compares them. */
export function defineModels(sequelize: Sequelize): void {
  defineAttachment(sequelize);
  defineCheck(sequelize);
  defineCheckBatch(sequelize);
  defineCheckDay(sequelize);
  defineCheckSample(sequelize);
  defineCloudflareAccount(sequelize);
  defineCloudflareGroup(sequelize);
  defineCloudflareGroupAccount(sequelize);
  defineDomain(sequelize);
  defineImport(sequelize);
  defineInstallation(sequelize);
  defineOperation(sequelize);
  defineOperationItem(sequelize);
  defineOperationResult(sequelize);
  definePlan(sequelize);
  defineProject(sequelize);
  defineRegistrar(sequelize);
  defineServer(sequelize);
  defineSession(sequelize);
  defineSignInNetwork(sequelize);
  defineSetupLink(sequelize);
  defineSite(sequelize);
  defineTemplate(sequelize);
  defineTemplateArchive(sequelize);
  defineTransferDecision(sequelize);
  defineTransferHistory(sequelize);
  defineTransferStop(sequelize);
  defineUser(sequelize);
  defineVerdictBaseline(sequelize);
  defineZoneLevel(sequelize);
}
