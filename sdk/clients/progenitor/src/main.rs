use climate::Client;
use climate::types::{
    CommonFacets, FilterValue, Problem, TokenRequest, UniqKey, UserDataRequest, UserDataSelection,
    UserMetadataEntry,
};
use futures_util::TryStreamExt;
use progenitor_client::{ByteStream, Error};
use reqwest::header::{AUTHORIZATION, HeaderMap};
use serde_json::json;
use std::collections::HashMap;
use std::env::var;

type Anything<T> = Result<T, Box<dyn std::error::Error>>;

/// What is neither JSON nor a form comes as a stream of bytes.
async fn bytes(stream: ByteStream) -> Anything<Vec<u8>> {
    let pieces: Vec<_> = stream.into_inner().try_collect().await?;
    Ok(pieces.concat())
}

async fn lines(stream: ByteStream) -> Anything<Vec<String>> {
    let text = String::from_utf8(bytes(stream).await?)?;
    Ok(text.lines().filter(|line| !line.is_empty()).map(String::from).collect())
}

fn filter(values: &[&str]) -> Anything<Vec<FilterValue>> {
    Ok(values.iter().map(|value| value.parse()).collect::<Result<_, _>>()?)
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Anything<()> {
    let server = var("SDK_SERVER")?;
    let api = Client::new(&server);

    let overview = api.get_overview().send().await?.into_inner();
    let files = api
        .search_data()
        .flavour("cmip6")
        .uniq_key(UniqKey::File)
        .experiment_id(filter(&["historical"])?)
        .variable_id(filter(&["tas", "pr"])?)
        .send()
        .await?;
    let counts = api
        .search_metadata()
        .flavour("cmip6")
        .uniq_key(UniqKey::File)
        .experiment_id(filter(&["historical"])?)
        .variable_id(filter(&["tas", "pr"])?)
        .send()
        .await?
        .into_inner();
    let archive = api
        .create_stac_catalogue()
        .flavour("cmip6")
        .uniq_key(UniqKey::File)
        .experiment_id(filter(&["historical"])?)
        .variable_id(filter(&["tas", "pr"])?)
        .send()
        .await?;
    let archive = bytes(archive.into_inner()).await?;
    std::fs::write("stac.zip", &archive)?;

    let credentials = TokenRequest {
        username: Some(var("SDK_USERNAME")?.parse()?),
        password: Some(var("SDK_PASSWORD")?.parse()?),
        ..TokenRequest::default()
    };
    let first = api.issue_token().body(credentials).send().await?.into_inner();
    let again = TokenRequest {
        refresh_token: Some(first.refresh_token.parse()?),
        ..TokenRequest::default()
    };
    let token = api.issue_token().body(again).send().await?.into_inner();
    let mut headers = HeaderMap::new();
    headers.insert(AUTHORIZATION, format!("Bearer {}", token.access_token).parse()?);
    let sending = reqwest::Client::builder().default_headers(headers).build()?;
    let signed_in = Client::new_with_client(&server, sending);
    let status = signed_in.token_status().send().await?.into_inner();

    let project = var("SDK_PROJECT")?;
    let kept = format!("{}/kept.nc", var("SDK_FILES")?);
    let gone = format!("{}/deleted.nc", var("SDK_FILES")?);
    let extra = json!({
        "additional_info": "bias adjusted: \"äöü\"",
        "modle": "no misspelling here",
        "run": {"seed": 7, "ratio": 0.25, "tags": ["a", "b"], "final": true},
    });
    let entry = |file: &str| -> Anything<UserMetadataEntry> {
        let entry = UserMetadataEntry::builder()
            .file(file)
            .variable(vec!["tas".parse()?, "pr".parse()?])
            .time("1985 to 1989")
            .time_frequency("mon")
            .bbox("-10,30,35,70".to_string())
            .project(vec![project.clone()])
            .model(vec!["my-model".to_string()])
            .extra(extra.as_object().cloned().unwrap_or_default());
        Ok(entry.try_into()?)
    };
    let body = UserDataRequest::builder()
        .user_metadata(vec![entry(&kept)?, entry(&gone)?])
        .facets(CommonFacets(HashMap::from([("product".to_string(), "output".to_string())])));
    let added = signed_in.add_user_data().body(body).send().await?.into_inner();
    let mine = async || -> Anything<Vec<String>> {
        let search = api.search_data().flavour("user").uniq_key(UniqKey::File);
        let search = search.project(filter(&[&project])?).model(filter(&["my-model"])?);
        lines(search.send().await?.into_inner()).await
    };
    let found = mine().await?;
    let selection = UserDataSelection(HashMap::from([("file".to_string(), gone.parse()?)]));
    let deleted = signed_in.delete_user_data().body(selection).send().await?.into_inner();
    let left = mine().await?;

    let refused = api
        .search_data()
        .flavour("cmip6")
        .uniq_key(UniqKey::File)
        .time(vec!["tomorrow".parse()?])
        .send()
        .await;
    // It knows application/json alone: of a problem it gives the bytes.
    let problem: Problem = match refused {
        Err(Error::ErrorResponse(response)) if response.status() == 422 => {
            serde_json::from_slice(&bytes(response.into_inner()).await?)?
        }
        _ => panic!("it was not refused"),
    };

    let report = json!({
        "flavours": overview.flavours,
        "facets_of_cmip6": overview.attributes["cmip6"],
        "files": lines(files.into_inner()).await?,
        "total": counts.total_count,
        "variables": counts.facets["variable_id"],
        "archive": archive.len(),
        "email": status.email,
        "renewed": token.refresh_token != first.refresh_token,
        "added": added.status,
        "found": found,
        "deleted": deleted.status,
        "left": left,
        "problem": {
            "type": problem.type_, "status": problem.status,
            "detail": problem.detail, "errors": problem.errors,
        },
    });
    println!("{report}");
    Ok(())
}
