import type { Sequelize } from 'sequelize';
import { Attachment, defineAttachment } from './models/Attachment.ts';
import { defineCheck, Check } from './models/Check.ts';
import { defineCheckBatch, CheckBatch } from './models/CheckBatch.ts';
import { defineCheckDay, CheckDay } from './models/CheckDay.ts';
import { defineCheckSample, CheckSample } from './models/CheckSample.ts';
import { defineCloudflareAccount, CloudflareAccount } from './models/CloudflareAccount.ts';
import { defineCloudflareGroup, CloudflareGroup } from './models/CloudflareGroup.ts';
import { defineCloudflareGroupAccount, CloudflareGroupAccount } from './models/CloudflareGroupAccount.ts';
import { defineDomain, Domain } from './models/Domain.ts';
import { defineImport, Import } from './models/Import.ts';
import { defineInstallation, Installation } from './models/Installation.ts';
import { defineOperation, Operation } from './models/Operation.ts';
import { defineOperationItem, OperationItem } from './models/OperationItem.ts';
import { defineOperationResult, OperationResult } from './models/OperationResult.ts';
import { definePlan, Plan } from './models/Plan.ts';
import { defineProject, Project } from './models/Project.ts';
import { defineRegistrar, Registrar } from './models/Registrar.ts';
import { defineServer, Server } from './models/Server.ts';
import { defineSession, Session } from './models/Session.ts';
import { defineSignInNetwork, SignInNetwork } from './models/SignInNetwork.ts';
import { defineSetupLink, SetupLink } from './models/SetupLink.ts';
import { defineSite, Site } from './models/Site.ts';
import { defineTemplate, Template } from './models/Template.ts';
import { defineTemplateArchive, TemplateArchive } from './models/TemplateArchive.ts';
import { defineTransferDecision, TransferDecision } from './models/TransferDecision.ts';
import { defineTransferHistory, TransferHistory } from './models/TransferHistory.ts';
import { defineTransferStop, TransferStop } from './models/TransferStop.ts';
import { defineUser, User } from './models/User.ts';
import { defineVerdictBaseline, VerdictBaseline } from './models/VerdictBaseline.ts';
import { defineZoneLevel, ZoneLevel } from './models/ZoneLevel.ts';

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

/** Binds every model to a connection. Each has its table's columns; test/db/models.test.ts compares them. */
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
