import "./sites.css";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useLocation, useNavigate } from "react-router";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { call } from "@zhangfang/web/api/api.ts";
import { Field, FormSection } from "@zhangfang/web/form/Field.tsx";
import { FormScreen } from "@zhangfang/web/form/FormDrawer.tsx";
import { PickOne, Switch } from "@zhangfang/web/form/inputs.tsx";
import { useForm } from "@zhangfang/web/form/use-form.ts";
import { useScreenTitle } from "@zhangfang/web/screen-title.tsx";
import { DetailScreen, useDetail } from "@zhangfang/web/show/over/Detail.tsx";
import { Empty } from "@zhangfang/web/show/Empty.tsx";
import { addSite, getSite, listSiteHosts, listSites, type SiteContent, updateSite } from "../../contract/index.ts";
import { SiteFields } from "./SiteFields.tsx";
import { SitePreview } from "./SitePreview.tsx";

type Hosts = OutputOf<typeof listSiteHosts>;
const LIST = "/admin/officialSite";
const NEW: SiteContent = { title: "", tagline: "", bannerUrl: null, sections: [], phone: "", email: "", address: "", icpNumber: "" };

/** 新增官网 and 修改官网: the words beside how they will look, on a phone and on a desk. */
export function SiteEditor(): ReactNode {
  const id = new URLSearchParams(useLocation().search).get("id");
  return id ? <Edit id={id} /> : <Add />;
}

function Edit({ id }: { id: string }): ReactNode {
  const site = useDetail(getSite, { id });
  useScreenTitle(site.data && `官网 · ${site.data.host}`);
  return site.data ? (
    <EditForm key={site.data.version} site={site.data} />
  ) : (
    <DetailScreen title="修改官网" list={["/admin/officialSite", "官网"]} of={site}>
      {() => null}
    </DetailScreen>
  );
}

function EditForm({ site }: { site: OutputOf<typeof getSite> }): ReactNode {
  const { id, version, atRoot, content, serviceProviderId } = site;
  const form = useForm(updateSite, {
    initial: { id, version, atRoot, content },
    draft: `${id}:${version}`,
    done: "草稿已保存，发布后生效",
    refreshes: [listSites, getSite],
  });
  const shown = form.values.content ?? content;
  return (
    <FormScreen form={form} title={`修改官网 ${site.host}`} submit="保存草稿" wide>
      <div className="site-edit">
        <div>
          <FormSection title="地址">
            <AtRoot of={form.field("atRoot")} host={site.host} />
          </FormSection>
          <SiteFields of={form.field("content")} errorAt={form.errorAt} serviceProviderId={serviceProviderId} />
        </div>
        <SitePreview content={shown} brand={{ name: site.serviceProviderName, logoUrl: site.logoUrl }} />
      </div>
    </FormScreen>
  );
}

function Add(): ReactNode {
  const hosts = useQuery({ queryKey: [listSiteHosts.path], queryFn: () => call(listSiteHosts, {}), staleTime: 0 });
  if (hosts.data === undefined)
    return (
      <DetailScreen title="新增官网" of={hosts}>
        {() => null}
      </DetailScreen>
    );
  return <AddForm hosts={hosts.data} />;
}

function AddForm({ hosts }: { hosts: Hosts }): ReactNode {
  const navigate = useNavigate();
  const form = useForm(addSite, {
    initial: { atRoot: false, content: NEW },
    draft: "new",
    done: "草稿已保存，发布后生效",
    refreshes: [listSites, listSiteHosts],
    onDone: ({ id }) => void navigate(`${LIST}/add?id=${id}`, { replace: true }),
  });
  const chosen = hosts.find(({ host }) => host === form.values.host);
  const choose = (host: string | undefined): void => {
    const found = hosts.find((one) => one.host === host);
    const content = { ...(form.values.content ?? NEW), bannerUrl: null, icpNumber: found?.icpNumber ?? "" };
    form.set({ host: host ?? "", content });
  };
  if (hosts.length === 0) return <Empty drawing="seal" text="没有可用的域名。请先在服务商的品牌里登记自有域名" />;
  return (
    <FormScreen form={form} title="新增官网" submit="保存草稿" wide>
      <div className="site-edit">
        <div>
          <FormSection title="地址">
            <Field of={form.field("host")} label="域名" help="服务商的自有域名，每个域名一个官网">
              {(f) => (
                <PickOne
                  {...f}
                  onChange={choose}
                  options={hosts.map((one) => ({ value: one.host, label: `${one.host}（${one.serviceProviderName}）` }))}
                />
              )}
            </Field>
            <AtRoot of={form.field("atRoot")} host={chosen?.host} />
          </FormSection>
          {chosen && <SiteFields of={form.field("content")} errorAt={form.errorAt} serviceProviderId={chosen.serviceProviderId} />}
        </div>
        {chosen && (
          <SitePreview content={form.values.content ?? NEW} brand={{ name: chosen.serviceProviderName, logoUrl: chosen.logoUrl }} />
        )}
      </div>
    </FormScreen>
  );
}

function AtRoot({ of, host }: { of: Parameters<typeof Field<boolean>>[0]["of"]; host: string | undefined }): ReactNode {
  const where = host ?? "域名";
  return (
    <Field of={of} label="打开域名即官网" help={`开启后 ${where} 直接显示官网，登录页在 ${where}/index.html；关闭时官网在 ${where}/site`}>
      {(f) => <Switch {...f} />}
    </Field>
  );
}
